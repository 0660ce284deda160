import { beforeEach, describe, expect, it, vi } from 'vitest'
import { APART } from '../../src/job/core/schedule.ts'
import { createJob, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { objectOf, ringFor, ringNext, stored } from '../support/jobs/job.ts'
import { PSPS, type PspWorld, deliver, posAt, pspWorld } from '../support/psp-world.ts'

/** How long (ms) a notification waits for an answer. */
const PATIENCE = 5000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const { setTimeout: real } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((end, after, ...given) =>
    real(end, after === PATIENCE ? 50 : after, ...given),
  )
})

/** From now on the PSP answers its next question, as of when it comes, only after the returned function is called. */
function holdAnswers(world: PspWorld) {
  const { promise: held, resolve } = Promise.withResolvers<void>()
  let questions = 0
  world.fault = async (request) => {
    const answer = await world.fake.handle(request)
    if (questions++ === 0) await held
    return answer
  }
  return { begun: () => vi.waitFor(() => expect(questions).toBeGreaterThan(0)), answer: resolve }
}

/** Sends what the PSP notifies now, as often as given. Returns the answers' status codes. */
async function notifyOften(world: PspWorld, job: string, times: number): Promise<number[]> {
  const { account } = await stored(job)
  const codes: number[] = []
  for (let sent = 0; sent < times; sent++)
    for (const notification of await world.fake.notify(job, Date.now()))
      codes.push((await deliver(account, notification)).status)
  return codes
}

describe.each(PSPS)('a question that %s answers slowly', (psp) => {
  it.each([
    ['a prompted one', true],
    ['one of the schedule', false],
  ])('loses no notification that comes meanwhile, however many: %s', async (_, isPrompted) => {
    const world = pspWorld(psp)
    const token = await tokenFor(await posAt(world))
    const { paymentJob: job } = await createJob(token)
    await send(`/return/${(await stored(job)).link}`)
    const [payment] = (await stored(job)).payments
    const { account, reference } = payment ?? { account: '', reference: '' }
    const notified = { is: 'notified', came: Date.now(), account, reference } as const
    if (isPrompted) await objectOf(job).tell({ do: 'record-notification', notified })
    vi.setSystemTime(Date.now() + APART)
    const held = holdAnswers(world)
    const rung = ringNext(job)
    await held.begun()
    world.fake.bring(job, 'paid')
    vi.setSystemTime(Date.now() + 1000)
    const codes = await notifyOften(world, job, 3)
    expect([...new Set(codes)]).toEqual([200])
    const before = (await stored(job)).entry.number
    held.answer()
    world.fault = null
    await rung
    await ringFor(job, 10_000)
    expect((await readJob(token, job)).status).toBe('SUCCESS')
    // However many came, they made one entry at most before the answer.
    expect(before).toBeLessThanOrEqual(4)
  })
})
