import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE } from '../../src/contract/timestamp.ts'
import { createJob, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { ringFor, ringNext, stored, waitForNextPull } from '../support/jobs/job.ts'
import { loggedOf } from '../support/logged.ts'
import { type Fault, outsideWith } from '../support/outside.ts'
import { type PspWorld, deliver, posAt, refund } from '../support/psp-world.ts'
import type { FakePsp, SentNotification } from '../support/psps/fake-psp.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { stripeFake } from '../support/psps/stripe.ts'
import { STAGES, type Stage } from './stages.ts'

let world: PspWorld
let token: string
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

/** A live shop at the double of a PSP. */
async function enter<Fake extends FakePsp>(psp: string, fake: Fake): Promise<Fake> {
  world = Object.assign(outsideWith(fake), { psp })
  token = await tokenFor(await posAt(world))
  return fake
}

async function tell(job: string, sent: readonly SentNotification[]): Promise<number[]> {
  const { account } = await stored(job)
  const answers: number[] = []
  for (const notification of sent) {
    waitForNextPull()
    answers.push((await deliver(account, notification)).status)
  }
  return answers
}

/** A paid job. */
async function paidJob(): Promise<string> {
  const { paymentJob: job } = await createJob(token)
  world.fake.bring(job, 'paid')
  await send(`/return/${job}`)
  expect((await stored(job)).status).toBe('SUCCESS')
  waitForNextPull()
  return job
}

async function stateOf(job: string) {
  return (await stored(job)).instructions[0]?.state
}

async function ringUntil(job: string, state: string): Promise<void> {
  for (let rings = 0; (await stateOf(job)) !== state; rings++) {
    if (rings === 40) throw new Error(`the refund is ${await stateOf(job)}`)
    await ringNext(job)
  }
}

/** The PSP carries out each request, but its answers to refunds are lost. */
const losesAnswers: Fault = async (request) => {
  const isRefund = request.method === 'POST' && /\/refunds?$/.test(new URL(request.url).pathname)
  const answer = await world.fake.handle(request)
  return isRefund ? new Response('', { status: 502 }) : answer
}

function asksFor() {
  return world.asked.filter((asked) => /^POST .*\/refunds?$/.test(asked)).length
}

describe.each(Object.entries(STAGES).filter(([, open]) => open().endRefunds))(
  'a refund at %s',
  (psp, open) => {
    let stage: Stage
    beforeEach(async () => {
      stage = open()
      await enter(psp, stage.fake)
    })
    const end = async (job: string) => stage.endRefunds?.(job)

    it('is PENDING, counts as soon as the PSP shows it, and is done when the PSP says so', async () => {
      const job = await paidJob()
      expect(await refund(token, job, '5.00')).toMatchObject({ code: 201, status: 'PENDING', amount: '5.00' })
      const counts = () =>
        vi.waitFor(async () => expect(await readJob(token, job)).toMatchObject({ amountRefunded: '5.00' }))
      if (!stage.countsRefundsLate) await counts()
      await end(job)
      await ringUntil(job, 'done')
      await counts()
      expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
      expect(asksFor()).toBe(1)
    })

    it('whose answer is lost is found, and not requested again', async () => {
      const warned = vi.spyOn(console, 'warn').mockReturnValue()
      const job = await paidJob()
      world.fault = losesAnswers
      expect(await refund(token, job, '5.00')).toMatchObject({ status: 'PENDING' })
      expect(await stateOf(job)).toBe('asking')
      expect(loggedOf(warned, job)).toMatchObject([{ event: 'psp.instruction-unanswered' }])
      world.fault = null
      await ringUntil(job, 'pending')
      await end(job)
      await ringUntil(job, 'done')
      expect(asksFor()).toBe(1)
    })

    it('that the PSP never got has failed, and may be requested again', async () => {
      vi.spyOn(console, 'warn').mockReturnValue()
      const job = await paidJob()
      world.fault = (request) =>
        request.method === 'POST' ? new Response('', { status: 503 }) : world.fake.handle(request)
      await refund(token, job, '12.50')
      world.fault = null
      await ringUntil(job, 'failed')
      expect((await refund(token, job, '12.50')).code).toBe(201)
    })
  },
)

describe('money at Stripe', () => {
  it('that is refunded elsewhere, or disputed, is reported by its events', async () => {
    const fake = await enter('stripe', stripeFake())
    const job = await paidJob()
    const dispute = { amount: 1250, isWithdrawn: true }
    const told = await fake.dispute(job, { ...dispute, status: 'needs_response' }, Date.now())
    expect(await tell(job, told)).toEqual([200])
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountChargedBack: '12.50' })
    expect(await tell(job, await fake.dispute(job, { ...dispute, status: 'won' }, Date.now()))).toEqual([200])
    expect(await readJob(token, job)).not.toHaveProperty('amountChargedBack')
  })

  it('that is disputed while Stripe does not answer shows when the hub asks again', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const fake = await enter('stripe', stripeFake())
    const job = await paidJob()
    const told = await fake.dispute(job, { amount: 1250, isWithdrawn: true, status: 'lost' }, Date.now())
    world.fault = (request) =>
      request.url.includes('/v1/disputes') ? new Response('', { status: 503 }) : fake.handle(request)
    expect(await tell(job, told)).toEqual([200])
    expect(await readJob(token, job)).not.toHaveProperty('amountChargedBack')
    world.fault = null
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await ringFor(job, MINUTE)
    expect(await readJob(token, job)).toMatchObject({ amountChargedBack: '12.50' })
  })
})

describe('an unknown word', () => {
  it('changes nothing, and is logged with the job', async () => {
    const fake = await enter('mollie', mollieFake())
    const { paymentJob: job } = await createJob(token)
    fake.bring(job, 'paid')
    world.fault = async (request) => {
      const answer = await fake.handle(request)
      return Response.json(
        { ...(await answer.json<object>()), status: 'teleported' },
        { status: answer.status },
      )
    }
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    await send(`/return/${job}`)
    expect((await stored(job)).status).toBe('PENDING')
    const told = warn.mock.calls.map(([entry]) => entry as { event: string; job?: string; message?: string })
    expect(told.find((entry) => entry.job === job)).toMatchObject({
      event: 'psp.unavailable',
      message: expect.stringContaining('teleported'),
    })
    world.fault = null
    waitForNextPull()
    await send(`/return/${job}`)
    expect((await stored(job)).status).toBe('SUCCESS')
  })
})
