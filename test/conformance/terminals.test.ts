import * as v from 'valibot'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Card, TerminalList } from '../../src/contract/terminals.ts'
import { readEvents } from '../support/shops/events.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { type Pos, askWith, create, makePos, order, readJob, tokenFor } from '../support/hub/hub.ts'
import { receiver } from '../support/shops/receiver.ts'

/**
 * The contract's clauses about terminals, tested at the terminals of the sandbox. A word in the order's
 * number decides what the customer does there.
 */

let pos: Pos
let token: string
let reports: ReturnType<typeof receiver>
beforeEach(async () => {
  reports = receiver()
  // Each has its own terminals, so no other test keeps them busy.
  pos = await makePos()
  token = await tokenFor(pos)
})

type Job = Awaited<ReturnType<typeof readJob>> & { terminal: { id: string; state: string; knownBy?: string } }

const { timestamp, currency, amount, report_url, order_id } = order
const SALE = { timestamp, currency, amount, report_url, order_id, order_number: 'A-7', terminal: 'default' }
/** The longest time (s) that a customer takes at a terminal of the sandbox. */
const ALL_OF_IT = 15

function sale(word: string, changes: object = {}): object {
  return { ...SALE, order_number: word === '' ? 'A-7' : `A-7 sandbox-${word}`, ...changes }
}
async function sell(word: string, changes: object = {}): Promise<Job> {
  const response = await create(token, sale(word, changes))
  expect(response.status).toBe(201)
  return response.json()
}
async function jobOf(id: string): Promise<Job> {
  return (await readJob(token, id)) as Job
}
function until({ paymentJob }: Job, how: object): Promise<Job> {
  return vi.waitFor(async () => {
    const now = await jobOf(paymentJob)
    expect(now).toMatchObject(how)
    return now
  }, 15_000)
}
function ask({ paymentJob }: Job, path: string, body?: object): Promise<Response> {
  return askWith(token, 'POST', `/v2/paymentjobs/${paymentJob}/${path}`, body)
}
/** Waits until the terminal has the order, and then lets the customer finish. */
async function played(word: string, how: object, changes: object = {}): Promise<Job> {
  const job = await sell(word, changes)
  await vi.waitFor(async () => expect((await jobOf(job.paymentJob)).terminal.state).not.toBe('starting'))
  await ask(job, 'advance', { seconds: ALL_OF_IT })
  return until(job, how)
}
async function terminals(of = pos) {
  const response = await askWith(of === pos ? token : await tokenFor(of), 'GET', '/v2/terminals')
  const text = await response.text()
  expect(response.headers.get('x-signature')).toBe(await hmacSha512(of.signingSecret, text))
  return v.parse(TerminalList, JSON.parse(text)).terminals
}
async function expectRefused(changes: object, field: string, detail?: string) {
  const response = await create(token, { ...SALE, ...changes })
  expect(response.status).toBe(422)
  const problem = await response.json<{ field: string; error: string }>()
  expect(problem).toMatchObject({ field, code: 'fields-invalid' })
  if (detail !== undefined) expect(problem.error).toContain(detail)
}

describe('registry, and GET /v2/terminals', () => {
  it('"test mode has three simulated ones", "one of them its default", with "id, name"', async () => {
    const all = await terminals()
    expect(all).toHaveLength(3)
    expect(all.filter(({ isDefault }) => isDefault)).toHaveLength(1)
    expect(new Set(all.map(({ id }) => id)).size).toBe(3)
    for (const { name } of all) expect(name).not.toBe('')
  })

  it('"whether it is on, busy with which job": of its own jobs only, and free again once that has ended', async () => {
    const job = await sell('')
    const busyWith = async (of = pos) => (await terminals(of)).map((one) => one.busyWith)
    await vi.waitFor(async () => expect(await busyWith()).toEqual([job.paymentJob, null, null]), 15_000)
    expect(await busyWith(await makePos())).toEqual([null, null, null])
    for (const { isOn } of await terminals()) expect(isOn).toBe(true)
    await ask(job, 'cancel')
    await vi.waitFor(async () => expect(await busyWith()).toEqual([null, null, null]), 15_000)
  })

  it('"the terminals of this point of sale": a live one has those alone that its operator gave it', async () => {
    token = await tokenFor((pos = await makePos({ mode: 'live' })))
    expect(await terminals()).toEqual([])
    await expectRefused({}, 'terminal')
  })
})

describe('the order', () => {
  it('"optional terminal: an id, or default": each leads to its terminal', async () => {
    const all = await terminals()
    const usual = all.find(({ isDefault }) => isDefault)
    expect((await sell('')).terminal.id).toBe(usual?.id)
    const other = all.find(({ isDefault }) => !isDefault)?.id
    expect((await sell('', { terminal: other })).terminal.id).toBe(other)
    await expectRefused({ terminal: 'none-such' }, 'terminal', usual?.id)
  })

  it('"return_url, language and ip_address may be missing; payment_method may be terminal"', async () => {
    const bare = await sell('')
    const full = await sell('', {
      return_url: order.return_url,
      language: 'nl',
      ip_address: order.ip_address,
      payment_method: 'terminal',
      terminal: 'sandbox-2',
    })
    for (const job of [bare, full])
      expect(job).toMatchObject({ status: 'PENDING', paymentMethod: 'terminal' })
    await expectRefused({ payment_method: 'ideal' }, 'payment_method')
    await expectRefused({ capture: 'manual' }, 'capture')
    await expectRefused({ report_url: undefined }, 'report_url')
  })

  it('without one is as ever: a customer who sees a page needs a return_url', async () => {
    await expectRefused({ terminal: undefined }, 'return_url')
  })
})

describe('start', () => {
  it('"201 at once with status PENDING and a step; the terminal is asked within the same second"', async () => {
    const job = await sell('')
    expect(job).toMatchObject({ status: 'PENDING', amountPaid: 0, amountDue: '12.50', error: null })
    expect(job.payments.steps.map(({ action }) => action)).toEqual(['Start'])
    const begun = await until(job, { terminal: { id: 'sandbox-1', state: 'waiting-for-card' } })
    const step = begun.payments.steps.at(-1)?.creationDate ?? ''
    expect(Date.parse(step) - Date.parse(job.created)).toBeLessThan(1000)
  })

  it.each([
    ['busy', 'terminal_busy'],
    ['off', 'terminal_off'],
  ])(
    '"%s: the job is FAILURE with an error that says so, and that no money was taken"',
    async (word, error) => {
      const failed = await until(await sell(word), { status: 'FAILURE', terminal: { state: 'ended' } })
      expect(failed.error).toMatch(new RegExp(`^${error}: .* No money was taken\\.$`))
      expect(failed).toMatchObject({ amountPaid: '0.00', amountDue: '12.50' })
    },
  )

  it('"so the till offers another terminal": the first is busy with a customer, and a new job goes to the second', async () => {
    const first = await sell('')
    await until(first, { terminal: { state: 'waiting-for-card' } })
    const second = await until(await sell('tap'), { status: 'FAILURE' })
    expect(second.error).toMatch(/^terminal_busy: /)
    await played('tap', { status: 'SUCCESS' }, { terminal: 'sandbox-2' })
    expect(await jobOf(first.paymentJob)).toMatchObject({ status: 'PENDING' })
  })

  it('a terminal that goes out of reach ends the payment only once it is certain: no money was taken', async () => {
    const job = await sell('unplugged')
    await until(job, { terminal: { state: 'unknown' }, status: 'PENDING' })
    await ask(job, 'advance', { seconds: 60 })
    const failed = await until(job, { status: 'FAILURE' })
    expect(failed.error).toMatch(/^terminal_unreachable: .* No money was taken\.$/)
  })

  it('a create that is repeated is the same job, which does not find its terminal busy with itself', async () => {
    const key = { 'idempotency-key': 'sale-7-card-1' }
    const answers = await Promise.all([1, 2].map(() => create(token, sale(''), key)))
    const [one, other] = await Promise.all(answers.map((answer) => answer.json<Job>()))
    expect(one?.paymentJob).toBe(other?.paymentJob)
    await until(one as Job, { status: 'PENDING', terminal: { state: 'waiting-for-card' } })
  })
})

describe('live', () => {
  const IN_TURN = ['starting', 'waiting-for-card', 'card-read', 'authorising', 'ended']

  it('"waiting-for-card, card-read, authorising, by events"', async () => {
    const { paymentJob } = await sell('pin')
    const events = readEvents(
      await askWith(token, 'GET', `/v2/paymentjobs/${paymentJob}`, undefined, {
        accept: 'text/event-stream',
      }),
    )
    const states: string[] = []
    while (states.at(-1) !== 'ended') {
      const one = await events.next()
      if (one === null) expect.fail('the stream ended before the payment')
      if (one.event === 'paymentjob') states.push((JSON.parse(one.data) as Job).terminal.state)
    }
    await events.cancel()
    const seen = states.filter((state, at) => state !== states[at - 1])
    expect(seen).toEqual(IN_TURN.slice(IN_TURN.indexOf(seen[0] ?? '')))
  })

  it('"by Prefer: wait; the end on the till within a second of the PSP\'s word"', async () => {
    const { paymentJob } = await sell('tap')
    let [etag, now] = ['', null as Job | null]
    const states = new Set<string>()
    while (now?.status !== 'SUCCESS') {
      const headers = { prefer: 'wait=10', ...(etag ? { 'if-none-match': etag } : {}) }
      const answer = await askWith(token, 'GET', `/v2/paymentjobs/${paymentJob}`, undefined, headers)
      etag = answer.headers.get('etag') ?? ''
      now = await answer.json<Job>()
      states.add(now.terminal.state)
    }
    expect(Date.now() - Date.parse(now.lastUpdate)).toBeLessThan(1000)
    for (const state of IN_TURN.slice(2)) expect(states).toContain(state)
  })
})

describe('cancel', () => {
  it('"a wish": in time it is CANCELLED, and no money was taken', async () => {
    const job = await sell('')
    await until(job, { terminal: { state: 'waiting-for-card' } })
    const response = await ask(job, 'cancel')
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { status: 'CANCELLED', amountPaid: '0.00', terminal: { state: 'ended' } },
    ])
  })

  it('"the answer says whether it came in time; the end is still the PSP\'s word": the card was quicker', async () => {
    const job = await sell('late-cancel')
    await until(job, { terminal: { state: 'waiting-for-card' } })
    const response = await ask(job, 'cancel')
    expect([response.status, await response.json()]).toMatchObject([200, { status: 'PENDING' }])
    await ask(job, 'advance', { seconds: ALL_OF_IT })
    await until(job, { status: 'SUCCESS', amountPaid: '12.50' })
    expect((await ask(job, 'cancel')).status).toBe(409)
  })
})

describe('doubt', () => {
  it('"a lost answer is asked for; while it is open the job says unknown, and until when the hub will know"', async () => {
    const job = await sell('lost')
    const doubtful = await until(job, { status: 'PENDING', terminal: { state: 'unknown' } })
    expect(Date.parse(doubtful.terminal.knownBy ?? '')).toBeGreaterThan(Date.now())
    // The client must not conclude that the payment failed, or offer another way to pay.
    expect(doubtful.error ?? '').not.toContain('No money was taken')
    await ask(job, 'advance', { seconds: ALL_OF_IT })
    const paid = await until(job, { status: 'SUCCESS', amountPaid: '12.50', error: null })
    expect(paid.terminal).toEqual({ id: 'sandbox-1', state: 'ended' })
  })
})

describe('a declined card, and an absent customer', () => {
  it('a declined card is FAILURE, and says that no money was taken', async () => {
    const { error } = await played('declined', { status: 'FAILURE', amountPaid: '0.00' })
    expect(error).toMatch(/^declined: .* No money was taken\.$/)
  })

  it.each(['wrong-pin', 'soft-decline'])('%s, and then paid, is paid', async (word) => {
    await played(word, { status: 'SUCCESS', amountPaid: '12.50', error: null })
  })

  it('a customer who walks away pays nothing, and the job ends within minutes', async () => {
    const job = await sell('')
    await until(job, { terminal: { state: 'waiting-for-card' } })
    await ask(job, 'advance', { seconds: 200 })
    await until(job, { status: 'EXPIRED', amountPaid: '0.00', terminal: { state: 'ended' } })
  })
})

describe('tip, card', () => {
  it('"amountTip beside amountPaid when a tip came on top"', async () => {
    const paid = await played('tip', { status: 'SUCCESS', amountTip: '1.25' })
    expect(paid).toMatchObject({ amountPaid: '13.75', amountDue: '0.00' })
    expect(await played('tap', { status: 'SUCCESS', amountPaid: '12.50' })).not.toHaveProperty('amountTip')
  })

  it('"brand, last four digits, entry mode and authorisation code for the receipt. No other card data"', async () => {
    const { paymentJob, card } = await played('pin', { status: 'SUCCESS' })
    expect(v.parse(v.strictObject(Card.entries), card)).toEqual(card)
    expect(card).toMatchObject({ lastFour: expect.stringMatching(/^\d{4}$/) as string, entryMode: 'chip' })
    const report = await vi.waitFor(
      () => reports.of(paymentJob).at(-1) ?? Promise.reject(new Error('no report')),
      10_000,
    )
    expect(JSON.parse(report.body)).toMatchObject({ status: 'SUCCESS', card, terminal: { state: 'ended' } })
    expect(report.headers['x-signature']).toBe(await hmacSha512(pos.signingSecret, report.body))
  })
})

describe('refunds', () => {
  it('"as ever, by the PSP\'s own refund": a part, no more than there is, and the rest with its tip', async () => {
    const job = await played('tip', { status: 'SUCCESS', amountPaid: '13.75' })
    expect((await ask(job, 'refunds', { amount: '2.00' })).status).toBe(201)
    const tooMuch = await ask(job, 'refunds', { amount: '11.76' })
    expect([tooMuch.status, await tooMuch.json()]).toMatchObject([422, { code: 'refund-too-much' }])
    const rest = await ask(job, 'refunds')
    expect([rest.status, await rest.json()]).toMatchObject([201, { amount: '11.75' }])
    await until(job, { status: 'SUCCESS', amountPaid: '13.75', amountRefunded: '13.75' })
  })

  it('nothing can be refunded before the card was charged', async () => {
    const job = await sell('')
    const response = await ask(job, 'refunds', { amount: '1.00' })
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'refund-unpaid' }])
  })
})

describe('split', () => {
  it('"one order over several jobs": two cards pay a part each, and neither counts as paid twice', async () => {
    const parts = [
      await played('tap', { status: 'SUCCESS' }, { amount: '5.00', order_number: 'A-8-1 sandbox-tap' }),
      await played('pin', { status: 'SUCCESS' }, { amount: '7.50', order_number: 'A-8-2 sandbox-pin' }),
    ]
    expect(parts.map(({ amountPaid }) => amountPaid)).toEqual(['5.00', '7.50'])
    for (const part of parts) expect(part).not.toHaveProperty('alsoPaidBy')
  })
})
