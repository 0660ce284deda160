import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { blocksOf, codesOf, read, rowsUnder } from '../docs/documents.ts'
import { choose, next, openPos } from './clients.ts'

const hub = inject('hub')

describe('the payment of the README', () => {
  const [, section = ''] = read('README.md').split('\n## Take a payment\n')
  const [program = ''] = blocksOf(section, 'js')
  const commands = blocksOf(section.split('\n## ')[0] ?? '', 'sh')
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'payment-hub-readme-'))))
  afterAll(() => rm(folder, { recursive: true }))

  it('is thirty lines', () => {
    expect(program.split('\n').length).toBeLessThanOrEqual(31)
  })

  it('is paid, and a part of it goes back', async () => {
    const [client, run] = commands.map((line) => line.trim())
    expect([client, run]).toEqual([
      'curl -sO http://localhost:8787/client.js',
      expect.stringMatching(/^API_KEY=… node pay\.mjs /),
    ])
    await writeFile(join(folder, 'client.js'), await (await fetch(`${hub.url}/client.js`)).text())
    await writeFile(join(folder, 'pay.mjs'), program.replaceAll('http://localhost:8787', hub.url))
    const { apiKey } = await openPos(hub)
    const shop = spawn(process.execPath, ['pay.mjs'], {
      cwd: folder,
      env: { ...process.env, API_KEY: apiKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface(shop.stdout)[Symbol.asyncIterator]()
    const nextLine = async () => ((await lines.next()) as { value?: string }).value ?? ''
    await next(await choose((await nextLine()).replace('Pay here: ', ''), 'paid'))
    expect(await nextLine()).toBe('The payment is SUCCESS: 12.50 of 12.50 is paid.')
    expect(await nextLine()).toBe('5.00 goes back.')
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
