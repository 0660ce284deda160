import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import state from '../fixtures/release-0.4.0.json'
import {
  type JobJson,
  create,
  location,
  order,
  payAs,
  read,
  readJob,
  send,
  tokenFor,
} from '../support/hub.ts'
import { objectOf, ringNext, stored } from '../support/job.ts'
import { operate } from '../support/operator.ts'
import { type Received, receiver } from '../support/receiver.ts'
import { restoreState } from './restore-state.ts'

const { jobs, pos, tokens } = state

/** Every payment that Mollie is asked about is paid; every other address is a shop. */
function answer({ url, body }: Received): Response {
  if (!url.startsWith('https://api.mollie.com/')) return new Response('ok')
  const id = body ? `tr_${crypto.randomUUID()}` : url.split('/').at(-1)
  const amount = { currency: 'EUR', value: '12.50' }
  const _links = { checkout: { href: 'https://www.mollie.com/checkout/x' } }
  return Response.json({ resource: 'payment', id, status: body ? 'open' : 'paid', amount, _links })
}

let outside: ReturnType<typeof receiver>
beforeAll(async () => {
  vi.setSystemTime(state.savedAt)
  await restoreState(state)
  outside = receiver(answer)
})
afterAll(() => {
  outside.stop()
  vi.useRealTimers()
})

async function search(token: string, query: string) {
  const answered = await send(`/v2/paymentjobs?from=2037-02-01&${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { paymentJobs } = await answered.json<{ paymentJobs: { paymentJob: string; status: string }[] }>()
  return paymentJobs.map(({ paymentJob, status }) => [paymentJob, status])
}

describe('state of release 0.4.0 is served by this release: points of sale', () => {
  it('tokens and keys open the jobs of their point of sale, and no others', async () => {
    expect(await readJob(tokens.test, jobs.open)).toMatchObject({ status: 'PENDING', orderNumber: 'OPEN' })
    expect((await read(tokens.live, jobs.open)).status).toBe(404)
    expect((await read(pos.test.apiKey, jobs.direct)).status).toBe(200)
    expect((await read(await tokenFor(pos.live), jobs.elsewhere)).status).toBe(200)
    expect((await read(pos.closed.apiKey, jobs.open)).status).toBe(401)
  })

  it.each([
    ['paid', { status: 'SUCCESS', amountPaid: '12.50' }],
    ['reserved', { status: 'SUCCESS', amountPaid: '12.50' }],
    ['listened', { status: 'SUCCESS', amountPaid: '12.50' }],
    ['late', { status: 'SUCCESS', amountPaid: '12.50' }],
    ['failed', { status: 'FAILURE', amountPaid: '0.00' }],
    ['cancelled', { status: 'CANCELLED', amountPaid: '0.00' }],
    ['cancelledByOperator', { status: 'CANCELLED', amountPaid: '0.00' }],
    ['expired', { status: 'EXPIRED', amountPaid: '0.00' }],
    ['chargedBack', { status: 'SUCCESS', amountChargedBack: '12.50' }],
    ['refundedAtThePsp', { status: 'SUCCESS', amountRefunded: '1.25' }],
    ['fastOpen', { status: 'PENDING' }],
  ] as const)('a job that was left %s is shown as it was', async (name, shown) => {
    expect(await readJob(tokens.test, jobs[name])).toMatchObject(shown)
    expect((await send(`/receipt/${jobs[name]}`)).status).toBe(200)
  })

  it('an open job is paid on the page that its customer has open', async () => {
    const { payUrl } = await readJob(tokens.test, jobs.open)
    expect(await payAs(payUrl, 'paid')).toBe('https://shop.nl/thanks?order=7')
    expect(await readJob(tokens.test, jobs.open)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it.each(['fast', 'retried'] as const)(
    'the report of %s is tried again when its time comes',
    async (name) => {
      expect((await stored(jobs[name])).reports).toMatchObject([
        { state: 'waiting', attempts: [{ answer: 'out of memory' }] },
      ])
      await ringNext(jobs[name])
      await vi.waitFor(async () => expect((await stored(jobs[name])).reports[0]?.state).toBe('delivered'))
    },
  )

  it.each(['gone', 'dead'] as const)('the report of %s was given up, and can be sent again', async (name) => {
    expect((await operate('POST', `/jobs/${jobs[name]}/resend`)).status).toBe(200)
    await vi.waitFor(async () => expect((await stored(jobs[name])).reports[0]?.state).toBe('delivered'))
  })

  it('money and refunds that are on their way arrive, but for the one that failed', async () => {
    await runDurableObjectAlarm(objectOf(jobs.underway))
    vi.setSystemTime(Date.now() + 60_000)
    await operate('POST', `/jobs/${jobs.underway}/pull`)
    expect(await readJob(tokens.test, jobs.underway)).toMatchObject({ status: 'SUCCESS' })
    await ringNext(jobs.refunded)
    expect(await readJob(tokens.test, jobs.refunded)).toMatchObject({ amountRefunded: '5.50' })
    expect((await stored(jobs.refundFailed)).moneyBack?.refunds).toMatchObject([{ state: 'pending' }])
    await ringNext(jobs.refundFailed)
    expect((await stored(jobs.refundFailed)).moneyBack?.refunds).toMatchObject([{ state: 'failed' }])
  })

  it('a repeated create with an old key gives the old job, and with the key of a purged job none', async () => {
    const again = await create(
      tokens.test,
      { ...order, order_number: 'KEYED' },
      { 'idempotency-key': 'key-1' },
    )
    expect((await again.json<JobJson>()).paymentJob).toBe(jobs.keyed)
    const purged = { ...order, order_number: 'PURGED' }
    expect((await create(tokens.test, purged, { 'idempotency-key': 'key-purged' })).status).toBe(409)
  })
})

describe('state of release 0.4.0 is served by this release: payments at PSPs', () => {
  it('a job that ended within its minute is listed', async () => {
    expect(await search(tokens.live, 'order_number=QUICK')).toEqual([[jobs.quick, 'SUCCESS']])
  })

  it('a job whose row rests can be read, and is listed once its first pull has come', async () => {
    expect((await readJob(tokens.live, jobs.resting)).status).toBe('PENDING')
    expect(await search(tokens.live, 'order_number=RESTING')).toEqual([])
    await ringNext(jobs.resting)
    await vi.waitFor(async () =>
      expect(await search(tokens.live, 'order_number=RESTING')).toEqual([[jobs.resting, 'SUCCESS']]),
    )
    // The message that lists the job may come after the row that is written with the report.
    await vi.waitFor(async () =>
      expect(await env.JOB_LEDGER.getByName('2037-02-08').page(null, 1000)).toMatchObject({
        ids: expect.arrayContaining([jobs.resting]) as string[],
      }),
    )
  })

  it('a pull that was not answered is, when the customer comes back', async () => {
    expect((await stored(jobs.unanswered)).unanswered).toMatchObject({ is: 'silent', pulls: 1 })
    await send(`/return/${jobs.unanswered}`)
    expect(await stored(jobs.unanswered)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('a job that had ended when its PSP told more is pulled, and the money that came counts', async () => {
    await ringNext(jobs.asked)
    expect(await stored(jobs.asked)).toMatchObject({ status: 'SUCCESS', late: true, cancelledBy: 'shop' })
  })

  it.each(['waiting', 'notAsked'] as const)('a job that no account has taken is: %s', async (name) => {
    const { announcement, asked, payUrl } = {
      ...(await stored(jobs[name])),
      ...(await readJob(tokens.live, jobs[name])),
    }
    expect([announcement.is, asked?.skipped?.[0]]).toMatchObject([
      'due',
      { account: 'mollie-1', why: 'silent' },
    ])
    expect(location(await send(new URL(payUrl).pathname))).toBe('https://www.mollie.com/checkout/x')
    expect((await stored(jobs[name])).announcement.is).toBe('announced')
  })

  it('payments that another account may hold are looked for, and those that were never there are not', async () => {
    expect((await stored(jobs.skipped)).otherPayments).toBeUndefined()
    expect((await stored(jobs.elsewhere)).otherPayments).toMatchObject([{ account: 'mollie-1', tries: 0 }])
    // A pull of its own and a report may come first: all are due in about a minute.
    for (let rings = 0; rings < 3; rings++) await ringNext(jobs.elsewhere)
    expect((await stored(jobs.elsewhere)).otherPayments).not.toMatchObject([{ tries: 0 }])
  })
})
