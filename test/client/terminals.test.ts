import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Pos, makePos, order } from '../support/hub/hub.ts'
import { watchersOf } from '../support/jobs/job.ts'
import { receiver } from '../support/shops/receiver.ts'
import { failureOf, networked, times } from './hub-double.ts'

let pos: Pos
beforeEach(async () => {
  receiver()
  pos = await makePos()
})

const { currency, amount, report_url } = order
/** The hub, and an order for a terminal of the sandbox, whose customer acts on the word in its number. */
function till(play: string) {
  const sale = { terminal: 'default', currency, amount, report_url, order_id: 7, order_number: `A-7 ${play}` }
  return { ...networked(pos), sale }
}

it('listTerminals returns the terminals that an order may name', async () => {
  const { hub, sale } = till('')
  const terminals = await hub.listTerminals()
  const other = terminals.find(({ isDefault }) => !isDefault)?.id ?? ''
  const job = await hub.createPaymentJob({ ...sale, terminal: other })
  expect(job).toMatchObject({ status: 'PENDING', terminal: { id: other } })
})

it('a create whose answer was lost is one sale', async () => {
  const { hub, network, sale } = till('')
  network.fault = times(
    2,
    ({ method, path }) => method === 'POST' && path === '/v2/paymentjobs',
    async (_, reach) => {
      await (await reach()).text()
      throw new TypeError('connection lost')
    },
  )
  const job = await hub.createPaymentJob(sale)
  await vi.waitFor(async () =>
    expect(await hub.getPaymentJob(job)).toMatchObject({ terminal: { state: 'waiting-for-card' } }),
  )
})

describe('waitFor', () => {
  it('waits until the terminal has finished, and returns what the receipt shows', async () => {
    const { hub, sale } = till('sandbox-tip')
    const job = await hub.createPaymentJob(sale)
    const paid = await hub.waitFor(job)
    expect(paid).toMatchObject({ status: 'SUCCESS', amountPaid: '13.75', amountTip: '1.25' })
    expect(paid).toMatchObject({ terminal: { state: 'ended' }, card: { lastFour: '4242' } })
  })

  it('does not end on a doubt: it waits until the hub knows, and shows the doubt meanwhile', async () => {
    const { hub, sale } = till('sandbox-lost')
    const job = await hub.createPaymentJob(sale)
    const states = new Set<string | undefined>()
    const watching = (async () => {
      for await (const { status, terminal } of hub.watch(job)) {
        states.add(`${status} ${terminal?.state}`)
        if (status !== 'PENDING') return
      }
    })()
    await vi.waitFor(() => expect(states).toContain('PENDING unknown'), 15_000)
    const waiting = hub.waitFor(job)
    await hub.advance(job, { seconds: 20 })
    expect(await waiting).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    await watching
    for (const state of states) expect(state).toMatch(/^(PENDING .+|SUCCESS ended)$/)
  })

  it('returns PENDING, not a failure, if the doubt lasts longer', async () => {
    const { hub, sale } = till('sandbox-lost')
    const job = await hub.createPaymentJob(sale)
    await vi.waitFor(
      async () => expect(await hub.getPaymentJob(job)).toMatchObject({ terminal: { state: 'unknown' } }),
      15_000,
    )
    expect(await hub.waitFor(job, { timeout: 1 })).toMatchObject({
      status: 'PENDING',
      terminal: { state: 'unknown' },
    })
  })
})

describe('cancel', () => {
  it('is a wish: the job may still be PENDING, and is paid if the card was quicker', async () => {
    const { hub, sale } = till('sandbox-late-cancel')
    const job = await hub.createPaymentJob(sale)
    await hub.waitFor(job, { until: ({ terminal }) => terminal?.state === 'waiting-for-card' })
    expect(await hub.cancel(job)).toMatchObject({ status: 'PENDING' })
    const waiting = hub.waitFor(job)
    await vi.waitFor(async () => expect(await watchersOf(job.paymentJob)).toBe(1))
    await hub.advance(job, { seconds: 20 })
    expect(await waiting).toMatchObject({ status: 'SUCCESS' })
    expect(await failureOf(hub.cancel(job))).toMatchObject({ code: 'cancel-too-late' })
  })

  it('whose answer was lost returns the job as it then is', async () => {
    const { hub, network, sale } = till('')
    const job = await hub.createPaymentJob(sale)
    await hub.waitFor(job, { until: ({ terminal }) => terminal?.state === 'waiting-for-card' })
    network.fault = times(
      1,
      ({ path }) => path.endsWith('/cancel'),
      async (_, reach) => {
        await (await reach()).text()
        throw new TypeError('connection lost')
      },
    )
    expect(await hub.cancel(job)).toMatchObject({ status: 'CANCELLED', amountPaid: '0.00' })
  })
})
