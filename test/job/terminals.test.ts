import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { sandboxPaymentOf } from '../../src/psp/sandbox/adapter.ts'
import { makePos, tokenFor } from '../support/hub/hub.ts'
import { objectOf, referenceOf, stored } from '../support/jobs/job.ts'
import {
  advance,
  cancelJob,
  orderAtTerminal,
  readTerminalJob,
  untilJob,
} from '../support/jobs/at-terminal.ts'
import { receiver } from '../support/shops/receiver.ts'
import { act } from '../sandbox/client.ts'

let token: string
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  receiver()
  token = await tokenFor(await makePos())
})

/** An order whose terminal waits for a card. */
async function waiting(words = ''): Promise<string> {
  const { paymentJob: id } = await orderAtTerminal(token, words)
  await untilJob(token, id, ({ terminal }) => terminal.state === 'waiting-for-card')
  return id
}

/** Kills a job’s object in the middle of its work. */
async function restart(job: string): Promise<void> {
  await runInDurableObject(objectOf(job), (_, ctx) => ctx.abort()).catch(() => {})
}

/** Returns whether the sandbox has the payment of a job. */
async function sandboxHas(job: string): Promise<void> {
  const payment = env.SANDBOX_PAYMENT.getByName(await sandboxPaymentOf(env, job))
  expect(await payment.read()).not.toBeNull()
}

/** Makes the sandbox forget a job’s payment, as if the order had never reached it. */
async function forgetAtSandbox(job: string): Promise<void> {
  const payment = env.SANDBOX_PAYMENT.getByName(await sandboxPaymentOf(env, job))
  await runInDurableObject(payment, (_, { storage }) => storage.deleteAll())
}

describe('a terminal that is in use', () => {
  it('takes one of several simultaneous orders, and another once the first is over', async () => {
    const jobs = await Promise.all([1, 2, 3, 4, 5].map(() => orderAtTerminal(token)))
    const ids = jobs.map(({ paymentJob }) => paymentJob)
    const ends = await Promise.all(
      ids.map((id) => untilJob(token, id, ({ terminal }) => terminal.state !== 'starting')),
    )
    const [taken, ...others] = ends.map(({ job }) => job).filter(({ status }) => status === 'PENDING')
    expect(others).toEqual([])
    const refused = ends.filter(({ job }) => job.error?.startsWith('terminal_busy'))
    expect(refused.length).toBe(4)
    await act(await referenceOf(taken?.paymentJob ?? ''), 'pay')
    await waiting()
  })

  it('leaves the other terminals of this shop and of other shops to other orders', async () => {
    await waiting()
    const other = await orderAtTerminal(token, '', { terminal: 'sandbox-2' })
    await untilJob(token, other.paymentJob, ({ terminal }) => terminal.state === 'waiting-for-card')
    token = await tokenFor(await makePos())
    await waiting()
  })
})

describe('an order whose terminal does not answer', () => {
  it('is cancelled once it is found, if the till cancelled in doubt', async () => {
    const { paymentJob: id } = await orderAtTerminal(token, 'sandbox-down-3')
    await untilJob(token, id, ({ terminal }) => terminal.state === 'unknown')
    const answer = await cancelJob(token, id)
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'PENDING' }])
    const { job } = await untilJob(token, id)
    expect(job).toMatchObject({ status: 'CANCELLED', amountPaid: '0.00' })
    expect((await stored(id)).payments.length).toBe(1)
  }, 40_000)

  it('is found too if its shop lets time pass', async () => {
    const { paymentJob: id } = await orderAtTerminal(token, 'sandbox-down-90')
    await untilJob(token, id, ({ terminal }) => terminal.state === 'unknown')
    expect((await advance(token, id, 120)).status).toBe(200)
    await untilJob(token, id, ({ terminal }) => terminal.state === 'waiting-for-card')
    expect((await advance(token, id, 300)).status).toBe(200)
    expect((await untilJob(token, id)).job).toMatchObject({ status: 'EXPIRED', amountPaid: '0.00' })
  }, 40_000)

  it.each([
    ['the customer can still be there', 0, false, 'waiting-for-card'],
    ['it is too late', 20_000, false, 'ended'],
    ['the till has cancelled', 0, true, 'ended'],
  ])(
    'is sent after a restart only if the customer can still pay: %s',
    async (_when, later, isCancelled, state) => {
      const { paymentJob: id } = await orderAtTerminal(token, 'sandbox-slow-3')
      // The restart comes before the order has reached the terminal.
      await vi.waitFor(() => sandboxHas(id))
      await restart(id)
      await forgetAtSandbox(id)
      if (isCancelled) await objectOf(id).tell({ do: 'cancel', by: 'shop' })
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
      await runDurableObjectAlarm(objectOf(id))
      const job = await readTerminalJob(token, id)
      expect(job.terminal.state).toBe(state)
      if (later > 0) expect(job.error).toMatch(/^terminal_unreachable: .* No money was taken\.$/)
    },
    40_000,
  )

  it('is found if the hub restarted after the order had reached the terminal', async () => {
    const { paymentJob: id } = await orderAtTerminal(token, 'sandbox-slow-3')
    await vi.waitFor(() => sandboxHas(id))
    await restart(id)
    await runDurableObjectAlarm(objectOf(id))
    const { job } = await untilJob(token, id, ({ terminal }) => terminal.state === 'waiting-for-card')
    expect(job.error).toBeNull()
    expect((await stored(id)).payments.length).toBe(1)
  }, 40_000)
})
