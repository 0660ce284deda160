import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createJob, readJob } from '../support/hub/hub.ts'
import { stored, waitForNextPull } from '../support/jobs/job.ts'
import { outsideWith } from '../support/outside.ts'
import { deliver, notify, posAt } from '../support/psp-world.ts'
import { stage as adyenStage } from './adyen/stage.ts'
import { type Act, STAGES, type Stage } from './stages.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))

/** A job of 50.00 whose money is reserved. `by`: does something by hand at the PSP, which then notifies the hub. */
async function reserved(psp: string, { fake, byHand: hands, method = 'creditcard' }: Stage) {
  const world = Object.assign(outsideWith(fake), { psp })
  const { apiKey: token } = await posAt(world)
  const order = { payment_method: method, amount: '50.00', capture: 'manual' }
  const { paymentJob: job } = await createJob(token, order)
  fake.bring(job, 'paid')
  await notify(world, job)
  const { account } = await stored(job)
  return {
    hands,
    async by(act: Act | undefined, amount: number, shown: object) {
      waitForNextPull()
      const done = await act?.(job, amount)
      if (done instanceof Response) expect(done.ok).toBe(true)
      const answers = Array.isArray(done)
        ? await Promise.all(done.map(async (one) => (await deliver(account, one)).status))
        : await notify(world, job)
      expect(new Set(answers)).toEqual(new Set([200]))
      await vi.waitFor(async () => expect(await readJob(token, job)).toMatchObject(shown))
      const { status } = await readJob(token, job)
      await vi.waitFor(() => expect(world.reportsOf(job).at(-1)).toBe(status))
    },
  }
}

describe.each(Object.entries(STAGES))('an operator of the shop who acts at %s', (psp, open) => {
  const opened = () => reserved(psp, open(undefined, 'several'))
  const inPart = open().isOnce
    ? { status: 'SUCCESS', amountPaid: '20.00', amountDue: '0.00', amountReleased: '30.00' }
    : { status: 'PENDING', amountPaid: '20.00', amountDue: '30.00' }

  it('captures in parts, all of it', async () => {
    const { hands, by } = await opened()
    await by(hands.capture, 2000, inPart)
    await by(hands.capture, 3000, { status: 'SUCCESS', amountPaid: '50.00', amountDue: '0.00' })
    if (hands.refund) await by(hands.refund, 1000, { status: 'SUCCESS', amountRefunded: '10.00' })
  })

  it('captures a part, and cancels the rest', async () => {
    const { hands, by } = await opened()
    await by(hands.capture, 2000, inPart)
    await by(hands.cancel, 3000, { status: 'SUCCESS', amountPaid: '20.00', amountReleased: '30.00' })
  })

  it('cancels all: the job is CANCELLED', async () => {
    const { hands, by } = await opened()
    await by(hands.cancel, 5000, { status: 'CANCELLED', amountPaid: '0.00', amountReleased: '50.00' })
  })
})

it.each([
  ['CANCELLATION', 'CANCELLED'],
  ['TECHNICAL_CANCEL', 'CANCELLED'],
  ['CANCEL_OR_REFUND', 'CANCELLED'],
  ['EXPIRE', 'EXPIRED'],
])('%s of what Adyen has reserved makes the job %s', async (eventCode, status) => {
  const stage = adyenStage()
  const { by } = await reserved('adyen', stage)
  const tell: Act = async (job) => [await stage.fake.tell(job, { eventCode, pspReference: `${eventCode}1` })]
  await by(tell, 0, { status, amountPaid: '0.00', amountReleased: '50.00' })
})
