import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY } from '../../src/contract/timestamp.ts'
import { createJob as createOf, location, readJob, send, tokenFor, giveUp } from '../support/hub/hub.ts'
import { objectOf, ringFor, ringUntilFinal, stored, waitForNextPull } from '../support/jobs/job.ts'
import { fakeOf } from '../support/fakes.ts'
import { PSPS, type PspWorld, deliver, notify, posAt, pspWorld } from '../support/psp-world.ts'
import type { Outcome } from '../support/psps/fake-psp.ts'

/** How a job ends with its payment. `closes` ends what the PSP leaves open. */
const ENDS: Record<Outcome, string> = {
  paid: 'SUCCESS',
  failed: 'FAILURE',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
}
const OUTCOMES = Object.keys(ENDS) as Outcome[]

let world: PspWorld

/** Creates a job with an order number of its own, because paid jobs with the same number report once more. */
function createJob(token: string) {
  return createOf(token, { order_number: crypto.randomUUID() })
}

describe.each(PSPS)('a payment at %s', (psp) => {
  let token: string
  beforeAll(async () => {
    token = await tokenFor(await posAt(pspWorld(psp)))
  })
  beforeEach(() => {
    world = pspWorld(psp)
  })

  const untilReported = (job: string, statuses: string[]) =>
    vi.waitFor(() => expect(world.reportsOf(job)).toEqual(statuses), 15_000)
  const statusOf = async (job: string) => (await stored(job)).status
  const actionsOf = async (job: string) =>
    (await readJob(token, job)).payments.steps.map(({ action, status }) => `${action} ${status}`)

  /** Brings the customer back, by the cancel address after a cancellation. */
  const comeBack = async (job: string, outcome: Outcome): Promise<void> => {
    await (outcome === 'cancelled' ? giveUp(`/return/${job}?cancelled=1`) : send(`/return/${job}`))
  }

  /** A payment that the PSP leaves open after an outcome stays PENDING, and has no report. */
  const endOf = (outcome: Outcome): string =>
    world.fake.leavesOpen?.includes(outcome) === true ? 'PENDING' : ENDS[outcome]
  const reportsOf = (outcome: Outcome): string[] => (endOf(outcome) === 'PENDING' ? [] : [endOf(outcome)])

  it("sends its customer to the PSP's page", async () => {
    const { payUrl, status, error } = await createJob(token)
    expect([status, error]).toEqual(['PENDING', null])
    expect(location(await send(payUrl))).toMatch(/^https:\/\//)
  })

  it.each(OUTCOMES)('that is %s shows at the return, and again at a later notification', async (outcome) => {
    const { paymentJob: job } = await createJob(token)
    world.fake.bring(job, outcome)
    await comeBack(job, outcome)
    expect(await statusOf(job)).toBe(endOf(outcome))
    for (const status of await notify(world, job)) expect(status).toBe(200)
    expect(await statusOf(job)).toBe(endOf(outcome))
    await untilReported(job, reportsOf(outcome))
  })

  it.each(OUTCOMES)('that is %s shows at notifications, twice, before the return', async (outcome) => {
    const { paymentJob: job } = await createJob(token)
    world.fake.bring(job, outcome)
    const told = (await notify(world, job)).length > 0
    await notify(world, job)
    const before = await statusOf(job)
    if (told) expect(before).toBe(endOf(outcome))
    await comeBack(job, outcome)
    expect(await statusOf(job)).toBe(endOf(outcome))
    const actions = await actionsOf(job)
    expect(actions).toEqual([...new Set(actions)])
  })

  const { needsConfirmation = false } = fakeOf(psp)
  it.runIf(needsConfirmation)('that the customer approves after the job expired takes no money', async () => {
    const { paymentJob: job } = await createJob(token)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    expect((await ringUntilFinal(job)).status).toBe('EXPIRED')
    world.fake.bring(job, 'paid')
    waitForNextPull()
    await notify(world, job)
    await comeBack(job, 'paid')
    await ringFor(job, 40 * DAY)
    expect(await statusOf(job)).toBe('EXPIRED')
    expect(world.asked.filter((asked) => /POST .*(capture|authorize)/.test(asked))).toEqual([])
  })

  it.skipIf(needsConfirmation)(
    'that is paid after the job expired is SUCCESS after all, and both are reported',
    async () => {
      const { paymentJob: job } = await createJob(token)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      world.fault = () => new Response('', { status: 503 })
      expect((await ringUntilFinal(job)).status).toBe('EXPIRED')
      await untilReported(job, ['EXPIRED'])
      world.fault = null
      world.fake.bring(job, 'paid')
      waitForNextPull()
      await notify(world, job)
      if ((await statusOf(job)) !== 'SUCCESS') await comeBack(job, 'paid')
      expect(await statusOf(job)).toBe('SUCCESS')
      await untilReported(job, ['EXPIRED', 'SUCCESS'])
    },
  )

  const hasAttempts = fakeOf(psp).leavesOpen?.includes('failed') === true
  it.runIf(hasAttempts)(
    'that is paid after a failed attempt stays so if that attempt is reported late',
    async () => {
      const { paymentJob: job } = await createJob(token)
      const { account } = await stored(job)
      world.fake.bring(job, 'failed')
      const late = await world.fake.notify(job, Date.now())
      expect(late).not.toEqual([])
      world.fake.bring(job, 'paid')
      await comeBack(job, 'paid')
      for (const notification of late) expect((await deliver(account, notification)).status).toBe(200)
      expect(await statusOf(job)).toBe('SUCCESS')
    },
  )

  it.runIf(psp !== 'mollie')('is believed only from its PSP: one changed byte is refused', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const { paymentJob: job } = await createJob(token)
    world.fake.bring(job, 'paid')
    const { account } = await stored(job)
    for (const { body, ...sent } of await world.fake.notify(job, Date.now())) {
      const other = job.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      const forged = { ...sent, body: body.replaceAll(job, other) }
      expect(forged.body).not.toBe(body)
      const refused = await deliver(account, forged)
      expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'signature-invalid' }])
      // Adyen signs within the body, the others in a header.
      if (psp === 'adyen') continue
      expect((await deliver(account, { ...sent, body, headers: {} })).status).toBe(401)
    }
    expect(await actionsOf(job)).toEqual(['Start PENDING'])
  })

  it('that is unknown to the hub is accepted quietly when its PSP reports it', async () => {
    const { paymentJob: job } = await createJob(token)
    world.fake.bring(job, 'paid')
    const { account } = await stored(job)
    const sent = await world.fake.notify(job, Date.now())
    await runInDurableObject(objectOf(job), async (_, { storage }) => storage.deleteAll())
    await evictDurableObject(objectOf(job))
    for (const notification of sent) expect((await deliver(account, notification)).status).toBe(200)
    expect(await objectOf(job).read()).toBeNull()
  })

  it('without notifications is found by the alarm', async () => {
    const { paymentJob: job } = await createJob(token)
    world.fake.bring(job, 'paid')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    expect((await ringUntilFinal(job)).status).toBe('SUCCESS')
    await untilReported(job, ['SUCCESS'])
  })

  it.skipIf(needsConfirmation)(
    'that the customer does not pay is stopped at the PSP when its job expires',
    async () => {
      const { paymentJob: job } = await createJob(token)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      expect((await ringUntilFinal(job)).status).toBe('EXPIRED')
      expect(() => world.fake.bring(job, 'paid')).toThrow()
    },
  )
})
