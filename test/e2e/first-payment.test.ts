import { execFile } from 'node:child_process'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { blocksOf, codesOf, read, rowsUnder } from '../docs/documents.ts'
import { isInstalled } from '../support/installed.ts'
import { choose, next, openPos } from './clients.ts'

const hub = inject('hub')

/** Runs a script like a reader's shell. Fails if any command does. */
function bash(script: string, env: Record<string, string | undefined> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'bash',
      ['-euo', 'pipefail', '-c', script],
      { cwd: PROJECT, env: { ...process.env, ...env } },
      (error, out, err) => (error ? reject(new Error(`${error.message}\n${out}${err}`)) : resolve(out)),
    )
  })
}

describe('a first payment by hand, as the README has it', () => {
  const [, by = ''] = read('README.md').split('\n## A first payment by hand\n')
  const [dev = '', makePos = '', create = '', look = ''] = blocksOf(by.split('\n## ')[0] ?? '', 'sh')
  const here = (script: string) => script.replaceAll('http://localhost:8787', hub.url)

  it('is four blocks, of which the first starts the hub', () => {
    expect(dev).toBe('npm run dev\n')
    expect(makePos).toMatch(/^npm run hub -- pos create /)
    expect(create).toMatch(/^API_KEY=…/)
    expect(look).toContain('/PAYMENT_JOB ')
  })

  it.skipIf(!isInstalled('curl'))('leads from a new point of sale to a paid job', async () => {
    const operator = { HUB_URL: hub.url, OPERATOR_TOKEN: hub.secrets['OPERATOR_TOKEN'] }
    const [, apiKey = ''] = /^API key +(\S+)$/m.exec(await bash(makePos, operator)) ?? []
    expect(apiKey).toMatch(/^[0-9A-Za-z]{160}$/)

    const script = here(create).replace('API_KEY=…', `API_KEY=${apiKey}`)
    const [answer = '', token = ''] = (await bash(`${script}\necho; echo "$TOKEN"`)).trim().split('\n')
    const job = JSON.parse(answer) as { paymentJob: string; payUrl: string; status: string }
    expect(job.status).toBe('PENDING')

    await next(await choose(job.payUrl, 'paid'))
    const lookAtJob = here(look).replace('PAYMENT_JOB', job.paymentJob)
    expect(JSON.parse(await bash(lookAtJob, { TOKEN: token }))).toMatchObject({
      status: 'SUCCESS',
      amountPaid: '12.50',
    })
  })
})

describe('the documents for points of sale', () => {
  const page = read('docs/pos/orders.md')
  const examples = blocksOf(page, 'json')
  const exampleOf = (member: string): string => examples.find((text) => text.includes(`"${member}"`)) ?? ''
  const order = exampleOf('return_url')
  const error = blocksOf(read('docs/pos/errors.md'), 'json').find((text) => text.includes('"detail"')) ?? ''
  let token: string
  beforeAll(async () => {
    token = (await openPos(hub)).token
  })

  const post = async <T>(path: string, bearer: unknown, body: object | string): Promise<T> => {
    const response = await fetch(hub.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(bearer)}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return (await response.json()) as T
  }
  const create = (body: string) =>
    post<{ status: unknown; amountDue?: string; errors?: { field: string }[] }>(
      '/v2/paymentjobs',
      token,
      body,
    )

  it('shows an order that the hub takes', async () => {
    expect(await create(order)).toMatchObject({ status: 'PENDING', amountDue: '12.50', language: 'nl-NL' })
  })

  it('has every field that the hub requires, in the example and in the table', async () => {
    const { errors = [] } = await create('{}')
    const fields = errors.map(({ field }) => field)
    expect(fields.length).toBeGreaterThan(5)
    expect(Object.keys(JSON.parse(order) as object)).toEqual(fields)
    expect(rowsUnder(page, '## Create a job').flatMap(([field = '']) => codesOf(field))).toEqual(fields)
  })

  it('shows an error as the hub answers it', async () => {
    expect(await create(order.replace('"12.50"', '"0"'))).toEqual(
      JSON.parse(error.replace('https://hub.example.com', hub.url)),
    )
  })

  it.each([
    ['"100.00"', 'JPY', '100.00'],
    ['"1.250"', 'KWD', '1.250'],
    ['"12345678901.00"', 'EUR', '12345678901.00'],
    ['59.699999999999996', 'EUR', '59.70'],
    ['"12.5000"', 'EUR', '12.50'],
    ['1.005', 'EUR', undefined],
    ['"123456789012.00"', 'EUR', undefined],
  ])('says what becomes of the amount %s in %s', async (amount, currency, due) => {
    const inCurrency = order.replace('"12.50"', amount).replace('EUR', currency)
    const { amountDue } = await create(
      currency === 'EUR' ? inCurrency : inCurrency.replace('ideal', 'creditcard'),
    )
    expect(amountDue).toBe(due)
  })

  it('has every member of a job in its table', async () => {
    const job = await create(order)
    const documented = rowsUnder(page, '## The job').flatMap(([names = '']) => codesOf(names))
    const members = documented.filter((name) => !name.startsWith('payments.'))
    expect(members.toSorted()).toEqual(Object.keys(job).toSorted())
  })
})
