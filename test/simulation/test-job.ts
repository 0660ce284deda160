import { DAY } from '../../src/contract/timestamp.ts'
import { duties } from '../../src/job/core/duties.ts'
import { isIndexed } from '../../src/job/core/row.ts'
import { isPending } from '../../src/job/core/state.ts'
import { RETENTION, type Stored } from '../support/jobs/job.ts'
import { type JobJson, order } from '../support/hub/hub.ts'
import { AMOUNT, written } from './amounts.ts'
import type { TestOutcome } from './commands.ts'
import { deliverIndex, deliverReports } from './messages.ts'
import { readObject, moveTo, ring, ringNext } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/**
 * A test-mode job for which the shop lets time pass. Its clock is ahead by `least` ms, or by up to `most` if
 * an answer was lost.
 */
export type TestJob = { id: string; payUrl: string; least: number; most: number; steps: string[] }

/** More alarms than any advance needs. */
const MOST_RINGS = 150
/** How long (ms) the hub waits for due work before it answers an advance. */
const PATIENCE = 15_000
/** The hub asks about no job for longer (ms) after its end. */
const LONG_AFTER = 60 * DAY

const later = setTimeout.bind(globalThis)

/**
 * Creates the schedule's test job, unless it has one. The customer chooses `outcome` on the sandbox's page.
 */
export async function placeTestOrder(
  world: World,
  { outcome, manual }: { outcome: TestOutcome; manual: boolean },
): Promise<void> {
  if (world.test !== null) return
  const response = await world.askAsTestShop('/v2/paymentjobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // The simulation does not check the reports of this job.
    body: JSON.stringify({
      ...order,
      // A card takes any currency: test mode refuses a method that does not.
      payment_method: 'creditcard',
      ...(manual ? { capture: 'manual', order_number: orderNumberOf(world.seed) } : {}),
      currency: world.currency,
      amount: written(AMOUNT, world.currency),
      report_url: `${world.reportUrl}/test`,
    }),
  })
  if (response.status >= 500) return
  promise(response.status === 201, `an order in test mode was answered with ${response.status}`)
  const { paymentJob: id, payUrl } = await response.json<JobJson>()
  world.test = { id, payUrl, least: 0, most: 0, steps: [] }
  if (outcome === 'nothing') return
  const checkout = (await world.ask(payUrl)).headers.get('location')
  if (checkout !== null) await world.ask(checkout, { method: 'POST', body: new URLSearchParams({ outcome }) })
}

/** Returns an order number that makes the sandbox fail in this seed's way. */
function orderNumberOf(seed: number): string {
  const wish =
    ['', ' sandbox-capture-fails', ' sandbox-capture-lost', ' sandbox-release-fails'][seed % 4] ?? ''
  return `A-${seed}${wish}`
}

/** Captures money of the test job, which the sandbox may refuse. */
export async function captureTest(
  world: World,
  { amount, final }: { amount: number | null; final: boolean },
): Promise<void> {
  const body = { ...(amount === null ? {} : { amount: written(amount, world.currency) }), final }
  await instructTestJob(world, 'captures', [201, 409, 422], body)
}

export function releaseTest(world: World): Promise<void> {
  return instructTestJob(world, 'release', [200, 409, 422], {})
}

async function instructTestJob(world: World, what: string, known: number[], body: object): Promise<void> {
  const { test } = world
  if (test === null) return
  const headers = { 'content-type': 'application/json' }
  const path = `/v2/paymentjobs/${test.id}`
  const asked = { method: 'POST', headers, body: JSON.stringify(body) }
  const { status } = await world.askAsTestShop(`${path}/${what}`, asked)
  promise(status >= 500 || known.includes(status), `${what} in test mode were answered with ${status}`)
  const response = await world.askAsTestShop(path)
  if (response.status === 200) checkTestSteps(test, await response.json<JobJson>())
}

/**
 * Advances the test job, once or twice at the same time, while its alarm rings and its reports are delivered.
 */
export async function letTimePass(world: World, seconds: number, times: number): Promise<void> {
  const { test } = world
  if (test === null) return
  const ms = seconds * 1000
  const ask = async () => {
    test.most += ms
    const response = await world.askAsTestShop(`/v2/paymentjobs/${test.id}/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ seconds }),
    })
    if (response.status >= 500) return 0
    promise(response.status === 200, `letting ${seconds} s pass was answered with ${response.status}`)
    checkTestSteps(test, await response.json<JobJson>())
    return ms
  }
  const asked = Promise.all(Array.from({ length: times }, ask))
  let isDone = false
  const end = () => void (isDone = true)
  asked.then(end, end)
  for (let rings = 0; !isDone && rings < MOST_RINGS; rings++) {
    await ringTestJob(world, test.id)
    await new Promise((resolve) => later(resolve, 2))
  }
  // When its patience ends, the hub answers with the job as it is.
  while (!isDone) {
    await moveTo(world, Date.now() + PATIENCE)
    await new Promise((resolve) => later(resolve, 2))
  }
  // Two requests for the same instant advance the clock once.
  test.least += Math.max(...(await asked))
  await checkClock(world, test)
}

/** Rings the alarm that advances the job's clock, or delivers the report that holds it up. */
async function ringTestJob(world: World, id: string): Promise<void> {
  await deliverReports(world)
  world.seen.delete(id)
  const { job } = await readObject(world, id)
  if (job === null) return
  if (isReportDue(job)) await ringNext(world, id)
  else if (aheadOf(job) > 0) await ring(world, id)
}

/** Returns how far (ms) a test job's clock still has to advance. */
function aheadOf({ clock }: Stored): number {
  return Math.max(clock.wanted - clock.offset, 0)
}

function isReportDue(job: Stored): boolean {
  const now = Date.now() + job.clock.offset
  return duties(job, now, RETENTION).some((duty) => duty.do === 'report' && duty.at <= now)
}

/**
 * Checks that the clock has advanced, or will, by what the shop requested: nothing is lost, nothing counts
 * twice.
 */
async function checkClock(world: World, test: TestJob): Promise<Stored> {
  world.seen.delete(test.id)
  const { job } = await readObject(world, test.id)
  promise(job !== null, `test job ${test.id} is gone`)
  if (job === null) throw new Error('a promise throws')
  const passed = job.clock.offset + aheadOf(job)
  promise(
    passed >= test.least && passed <= test.most,
    `${passed} ms have passed for ${test.id}, and not from ${test.least} to ${test.most}`,
  )
  return job
}

/** Checks that the trace only grows and its times only increase, however the clock moved. */
function checkTestSteps(test: TestJob, { payments }: JobJson): void {
  const steps = payments.steps.map((step) => JSON.stringify(step))
  promise(
    test.steps.every((step) => steps.includes(step)),
    `steps of ${test.id} were lost: ${test.steps.join()} became ${steps.join()}`,
  )
  const times = payments.steps.map(({ creationDate }) => creationDate)
  promise(
    times.every((time, at) => at === 0 || time > (times[at - 1] ?? '')),
    `the times of ${test.id} do not increase: ${times.join()}`,
  )
  test.steps = steps
}

/**
 * Checks that the test job ends and the shop gets the report, once time enough has passed without faults.
 * Returns the job.
 */
export async function settleTestJob(world: World): Promise<Stored | null> {
  const { test } = world
  if (test === null) return null
  await letTimePass(world, LONG_AFTER / 1000, 1)
  for (let rings = 0; rings < MOST_RINGS; rings++) {
    await deliverReports(world)
    // The index may reveal another job of the order, which the hub reports too.
    await deliverIndex(world, false, 'once')
    const job = await checkClock(world, test)
    const isWritten = isIndexed(job)
    if (aheadOf(job) === 0 && !isReportDue(job) && isWritten) break
    if (aheadOf(job) === 0) await ringNext(world, test.id)
    else await ringTestJob(world, test.id)
  }
  const job = await checkClock(world, test)
  promise(aheadOf(job) === 0, `${aheadOf(job)} ms never passed for ${test.id}`)
  promise(!isPending(job), `test job ${test.id} is ${job.status} for ever`)
  promise(job.report?.state === 'delivered', `the end of ${test.id} was never reported`)
  for (const { authorized, paid, released } of job.payments.filter((payment) => payment.authorized > 0))
    promise(
      authorized === paid + released,
      `test job ${test.id} has ${paid} captured and ${released} released of ${authorized}`,
    )
  return job
}
