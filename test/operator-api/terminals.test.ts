import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { profileById } from '../../src/registry/profiles.ts'
import { askWith, create, makePos, tokenFor } from '../support/hub/hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { type PspWorld, addAccount, pspWorld, route } from '../support/psp-world.ts'
import { withTerminals, withoutTerminals } from '../support/terminals.ts'
import { entriesAbout } from './audit-entries.ts'
import type { RegistryRow, Restored } from '../../src/contract/backup.ts'
import { loseRegistry } from '../support/hub/new-hub.ts'

let world: PspWorld
let psp: ReturnType<typeof withTerminals>
let terminals = 0

beforeEach(() => {
  world = pspWorld('mollie')
  const numbered = (name: string) => ({ id: `term_${++terminals}`, name, isOn: true })
  psp = withTerminals('mollie', [numbered('Till 1'), { ...numbered('Till 2'), isOn: false }])
  vi.spyOn(console, 'warn').mockReturnValue()
})

afterEach(() => {
  vi.useRealTimers()
})

function first(): string {
  return psp.list?.[0]?.id ?? ''
}
function second(): string {
  return psp.list?.[1]?.id ?? ''
}

type Listed = { terminals: { id: string; name: string; isAdded?: boolean; isOn: boolean | null }[] }

/** A live shop, and an account with two added terminals. */
async function shopWithTerminals() {
  const [pos, account] = [await makePos({ mode: 'live' }), await addAccount(world)]
  for (const terminal of [first(), second()])
    expect((await operate('POST', `/accounts/${account}/terminals`, { terminal })).status).toBe(200)
  return { pos, account }
}

async function assign(pos: string, body: object) {
  const answer = await operate('POST', `/pos/${pos}/terminals`, body)
  return { status: answer.status, ...(await answer.json<Listed & { detail?: string; field?: string }>()) }
}

describe('the terminals of an account', () => {
  it('are those that the PSP lists, and those that an operator has added and named', async () => {
    const account = await addAccount(world)
    expect(await answerTo('GET', `/accounts/${account}/terminals`)).toMatchObject({
      result: 'listed',
      terminals: [
        { id: first(), name: 'Till 1', isAdded: false, isOn: true },
        { id: second(), name: 'Till 2', isAdded: false, isOn: false },
      ],
    })
    const added = { terminal: second(), name: 'Counter', alertHours: '09:00-18:00' }
    expect(await answerTo('POST', `/accounts/${account}/terminals`, added)).toMatchObject({
      id: second(),
      name: 'Counter',
      isAdded: true,
    })
    const renamed = { terminal: second(), name: 'Terrace' }
    await operate('POST', `/accounts/${account}/terminals`, renamed)
    const { terminals: all } = await answerTo<Listed>('GET', `/accounts/${account}/terminals`)
    expect(all).toMatchObject([
      { name: 'Terrace', isAdded: true, isOn: false, alertHours: '09:00-18:00' },
      { name: 'Till 1', isAdded: false },
    ])
    expect((await entriesAbout(account)).at(-1)).toMatchObject({
      action: 'terminal.add',
      before: { name: 'Counter' },
      after: { terminal: second(), name: 'Terrace' },
    })
  })

  it('are still shown when the PSP is silent, without saying whether they are on', async () => {
    const { account } = await shopWithTerminals()
    psp.list = null
    vi.setSystemTime(Date.now() + 11_000)
    expect(await answerTo('GET', `/accounts/${account}/terminals`)).toMatchObject({
      result: 'unavailable',
      message: 'The PSP does not answer.',
      terminals: [
        { name: 'Till 1', isListed: null, isOn: null },
        { name: 'Till 2', isOn: null },
      ],
    })
  })

  it('cost the PSP one request, however many operators look within ten seconds', async () => {
    const account = await addAccount(world)
    for (let look = 0; look < 5; look++) await operate('GET', `/accounts/${account}/terminals`)
    expect(psp.asked).toBe(1)
    vi.setSystemTime(Date.now() + 11_000)
    await operate('GET', `/accounts/${account}/terminals`)
    expect(psp.asked).toBe(2)
  })

  it('do not include one that the PSP does not list: its id is mistyped, and the hub names the others', async () => {
    const account = await addAccount(world)
    const refused = await operate('POST', `/accounts/${account}/terminals`, { terminal: 'term_nobody' })
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { field: 'terminal', error: expect.stringContaining(first()) },
    ])
  })

  it('belong to one account each', async () => {
    await shopWithTerminals()
    const other = await addAccount(world, 1)
    const refused = await operate('POST', `/accounts/${other}/terminals`, { terminal: first() })
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'account-conflict' }])
  })

  it('are none if the hub cannot drive terminals with the account', async () => {
    const account = await addAccount(world)
    withoutTerminals('mollie')
    expect(await answerTo('GET', `/accounts/${account}/terminals`)).toMatchObject({
      result: 'none',
      terminals: [],
    })
    const refused = await operate('POST', `/accounts/${account}/terminals`, { terminal: first() })
    expect(refused.status).toBe(422)
  })
})

describe('a point of sale', () => {
  it('uses the terminals that an operator assigns to it, the first of which is its default', async () => {
    const { pos, account } = await shopWithTerminals()
    expect(await assign(pos.id, { terminal: second() })).toMatchObject({
      status: 200,
      terminals: [{ id: second(), account, isDefault: true, isOn: false }],
    })
    await assign(pos.id, { terminal: first() })
    expect(await assign(pos.id, { terminal: first(), isDefault: true })).toMatchObject({
      terminals: [
        { id: first(), isDefault: true },
        { id: second(), isDefault: false },
      ],
    })
    const found = await profileById(env.DB, pos.id)
    expect(found?.profile.terminals).toEqual([
      { id: first(), name: 'Till 1', account, isDefault: true },
      { id: second(), name: 'Till 2', account },
    ])
    expect(found?.profile.accounts.map(({ id }) => id)).toEqual([account])
    expect((await entriesAbout(pos.id)).at(-1)).toMatchObject({
      action: 'terminal.assign',
      before: { terminal: first(), isDefault: false },
      after: { terminal: first(), isAssigned: true, isDefault: true },
    })
  })

  it('that loses a terminal can take no order there, which a token in use notices at once', async () => {
    const { pos } = await shopWithTerminals()
    await assign(pos.id, { terminal: first() })
    const token = await tokenFor(pos)
    const seen = async () =>
      (await (await askWith(token, 'GET', '/v2/terminals')).json<Listed>()).terminals.map(({ id }) => id)
    expect(await seen()).toEqual([first()])
    expect(await assign(pos.id, { terminal: first(), isAssigned: false })).toMatchObject({ terminals: [] })
    expect(await seen()).toEqual([])
    expect((await assign(pos.id, { terminal: first(), isAssigned: false })).status).toBe(422)
  })

  it('sees a new name of its terminal', async () => {
    const { pos, account } = await shopWithTerminals()
    await assign(pos.id, { terminal: first() })
    const token = await tokenFor(pos)
    await askWith(token, 'GET', '/v2/terminals')
    await operate('POST', `/accounts/${account}/terminals`, { terminal: first(), name: 'Bar' })
    expect(await (await askWith(token, 'GET', '/v2/terminals')).json()).toMatchObject({
      terminals: [{ name: 'Bar' }],
    })
  })

  it('in test mode has simulated terminals, and cannot get others', async () => {
    await shopWithTerminals()
    const pos = await makePos()
    expect((await assign(pos.id, { terminal: first() })).status).toBe(422)
    const { terminals: own } = await answerTo<Listed>('GET', `/pos/${pos.id}/terminals`)
    expect(own.map(({ id }) => id)).toEqual(['sandbox-1', 'sandbox-2', 'sandbox-3'])
  })

  it('never mixes terminals and routes of live accounts with those of test accounts', async () => {
    const { pos } = await shopWithTerminals()
    const credentials = { apiKey: 'test_0123456789' }
    await operate('POST', '/accounts', { id: 'trial', psp: 'mollie', mode: 'test', credentials })
    await assign(pos.id, { terminal: first() })
    const routed = await operate('POST', `/pos/${pos.id}/routes`, { paymentMethod: '*', accounts: ['trial'] })
    expect([routed.status, await routed.json()]).toMatchObject([422, { field: 'accounts' }])
    const other = await makePos({ mode: 'live' })
    await operate('POST', `/pos/${other.id}/routes`, { paymentMethod: '*', accounts: ['trial'] })
    expect(await assign(other.id, { terminal: first() })).toMatchObject({ status: 422, field: 'terminal' })
  })
})

describe('something in use', () => {
  it('is not removed: neither the terminal nor its account', async () => {
    const { pos, account } = await shopWithTerminals()
    await assign(pos.id, { terminal: first() })
    const removed = (path: string) => operate('POST', `/accounts/${account}${path}/remove`)
    const refused = await removed(`/terminals/${first()}`)
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { detail: expect.stringContaining('Shop') },
    ])
    const whole = await removed('')
    expect([whole.status, await whole.text()]).toEqual([422, expect.stringContaining(pos.id)])
    await assign(pos.id, { terminal: first(), isAssigned: false })
    expect((await removed(`/terminals/${first()}`)).status).toBe(200)
    expect((await removed(`/terminals/${first()}`)).status).toBe(404)
    // A location may send payments to the terminal for another two minutes.
    const soon = await removed('')
    expect([soon.status, await soon.text()]).toEqual([422, expect.stringContaining('not listed before')])
    vi.setSystemTime(Date.now() + 5 * 60_000)
    expect((await removed('')).status).toBe(200)
    expect(await env.DB.prepare('select count(*) as n from terminals').first('n')).toBeTypeOf('number')
    const left = await env.DB.prepare('select id from terminals where account = ?').bind(account).all()
    expect(left.results).toEqual([])
  })

  it('has new credentials at once, even if only a terminal leads to the account', async () => {
    const { pos, account } = await shopWithTerminals()
    await assign(pos.id, { terminal: first() })
    const sealed = async () => {
      const copy = await env.TOKENS.get<{ value?: unknown }>(`pos:${pos.id}`, 'json')
      return JSON.stringify(copy)
    }
    const before = await sealed()
    await operate('POST', `/accounts/${account}/credentials`, { credentials: world.fake.accounts[1] })
    expect(before).toContain(account)
    expect(await sealed()).not.toBe(before)
  })

  it('comes back with a backup, but for the terminals of an account that was removed since', async () => {
    const { pos, account } = await shopWithTerminals()
    await route(pos, '*', account)
    await assign(pos.id, { terminal: first() })
    await operate('POST', `/accounts/${account}/terminals`, {
      terminal: first(),
      alertHours: '09:00-18:00',
    })
    psp.list?.push({ id: 'term_gone', name: 'Kiosk', isOn: true })
    const gone = await addAccount(world, 1)
    expect((await operate('POST', `/accounts/${gone}/terminals`, { terminal: 'term_gone' })).status).toBe(200)
    await assign(pos.id, { terminal: 'term_gone' })
    const backup = await answerTo<{ rows: RegistryRow[] }>('POST', '/backup/registry')
    const before = await profileById(env.DB, pos.id)
    expect(before?.profile.terminals).toHaveLength(2)
    await assign(pos.id, { terminal: 'term_gone', isAssigned: false })
    vi.setSystemTime(Date.now() + 5 * 60_000)
    expect((await operate('POST', `/accounts/${gone}/remove`)).status).toBe(200)
    await loseRegistry()
    const restored = await operate('POST', '/restore/registry', { rows: backup.rows })
    expect([restored.status, await restored.json<Restored>()]).toMatchObject([200, { leftOut: [] }])
    const after = await profileById(env.DB, pos.id)
    expect(after?.profile.terminals).toEqual([{ id: first(), name: 'Till 1', account, isDefault: true }])
    expect(await answerTo('GET', '/terminals')).toMatchObject({
      terminals: expect.arrayContaining([
        expect.objectContaining({ id: first(), alertHours: '09:00-18:00' }),
      ]),
    })
    expect(await answerTo('GET', '/terminals')).not.toMatchObject({
      terminals: expect.arrayContaining([expect.objectContaining({ id: 'term_gone' })]),
    })
  })
})

it('a payment at a terminal has its way to pay and its tip in lists and figures, and is found by the way to pay', async () => {
  const pos = await makePos()
  const token = await tokenFor(pos)
  const sale = {
    terminal: 'sandbox-3',
    currency: 'EUR',
    amount: '12.50',
    report_url: 'https://shop.nl/report',
  }
  const sold = await create(token, {
    ...sale,
    order_id: '8',
    order_number: 'T-sandbox-tip',
    timestamp: 1_790_000_000,
  })
  const { paymentJob } = await sold.json<{ paymentJob: string }>()
  const soon = { timeout: 20_000, interval: 300 }
  const listed = () =>
    answerTo<{ jobs: object[] }>('GET', `/jobs?method=terminal&status=SUCCESS&pos=${pos.id}`)
  await vi.waitFor(async () => expect((await listed()).jobs).toHaveLength(1), soon)
  expect((await listed()).jobs).toMatchObject([
    { id: paymentJob, account: 'sandbox', paymentMethod: 'terminal', terminal: 'sandbox-3', amount: '12.50' },
  ])
  expect((await listed()).jobs).not.toMatchObject([{ tip: '0.00' }])
  const own = await askWith(token, 'GET', '/v2/paymentjobs')
  expect(await own.json()).toMatchObject({ paymentJobs: [{ paymentJob, paymentMethod: 'terminal' }] })
  const { rows } = await answerTo<{ rows: { key: string; success: number }[] }>(
    'GET',
    `/figures?by=method&mode=test&pos=${pos.id}`,
  )
  expect(rows).toMatchObject([{ key: 'terminal', success: 1 }])
})
