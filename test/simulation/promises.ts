import type * as v from 'valibot'
import { represent } from '../../src/job/core/show.ts'
import type { JobsBackup } from '../../src/contract/backup.ts'
import { isPending } from '../../src/job/core/state.ts'
import type { Stored } from '../support/jobs/job.ts'
import type { JobJson } from '../support/hub/hub.ts'
import { unfitParts } from '../../src/backup/unfit-parts.ts'
import { checkIndex, dayOf, pagesOf } from './index-promises.ts'
import { checkOrphan, checkPayment } from './payment-promises.ts'
import { isFirstOf } from './payments.ts'
import { type ShownMoney, checkReserved } from './reserved-promises.ts'
import { checkInstructions } from './instruction-promises.ts'
import { checkAtTerminal, checkTip } from './terminal-promises.ts'
import { isCutOff } from './liveness-promises.ts'
import { settleTestJob } from './test-job.ts'
import type { ObjectReading } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** Checks all promises once the hub has nothing left to do. */
export async function checkPromises(world: World, all: readonly ObjectReading[]): Promise<void> {
  const jobs = all.flatMap(({ job }) => (job ? [job] : []))
  for (const { id, job, entries } of all) if (job) world.journals.check(id, entries)
  for (const id of world.jobs) {
    promise(
      jobs.some((job) => job.id === id),
      `job ${id} was acknowledged, and is gone`,
    )
  }
  for (const job of jobs) {
    promise(!isPending(job), `job ${job.id} is ${job.status} for ever`)
    world.traces.note(JSON.parse(JSON.stringify(represent(job))) as JobJson, true)
    if (!isCutOff(world.psp, job)) await checkMoney(world, job)
    checkAtTerminal(world.psp, JSON.parse(JSON.stringify(represent(job))) as JobJson)
    checkReports(job, world.shop.acceptedOf(job.id))
    world.reports.check(job)
  }
  for (const id of world.erased)
    promise(
      (await world.platform.objectOf(id).personal()) === null,
      `the personal data of ${id} was erased, and is there`,
    )
  for (const payment of world.psp.payments.filter(({ account }) => !world.psp.gone.has(account))) {
    const wasShown = world.shown.get(payment.job)?.has(payment.checkoutUrl) === true
    checkOrphan(jobs.find(({ id }) => id === payment.job) ?? null, payment, wasShown)
  }
  const test = await settleTestJob(world)
  await checkIndex(world, test ? [...jobs, test] : jobs)
  await checkBackup(world, jobs)
}

/** Checks that a job has the money that its payments have, and what was instructed. */
async function checkMoney(world: World, job: Stored): Promise<void> {
  const { reference } = job
  if (reference !== null) {
    const payment = world.psp.payments.find((made) => isFirstOf(job, made))
    if (payment) checkPayment(job, payment)
    if (payment?.atTerminal) checkTip(job, payment)
    promise(payment !== undefined, `job ${job.id} has payment ${reference}, which the PSP never made`)
  }
  await checkInstructions(world, job)
  checkReserved(world, job)
}

/** How far (ms) the clocks of two hubs may differ. */
const MINUTE = 60_000

/** Checks that another hub would restore the jobs from this hub's backup. */
async function checkBackup(world: World, jobs: readonly Stored[]): Promise<void> {
  for (const day of new Set(jobs.map(dayOf))) {
    const pages = await pagesOf<v.InferOutput<typeof JobsBackup>>(world, 'POST', `/backup/jobs/${day}`)
    const kept = pages.flatMap((page) => page.jobs)
    for (const { id } of jobs.filter((job) => dayOf(job) === day)) {
      const stored = kept.find((backedUp) => backedUp.id === id)
      const unfit = stored ? unfitParts(stored, day, Date.now() + MINUTE) : 'is not in it'
      promise(unfit === null, `no hub would take job ${id} from a backup: ${JSON.stringify(unfit)}`)
    }
  }
}

function checkReports(job: Stored, accepted: readonly JobJson[]): void {
  const last = accepted.at(-1)
  promise(last !== undefined, `no report said that job ${job.id} is ${job.status}`)
  const reported = last && moneyOf(last as ShownMoney)
  const truth = moneyOf(represent(job))
  promise(reported === truth, `the last report said that job ${job.id} is ${reported}, but it is ${truth}`)
}

function moneyOf(job: ShownMoney): string {
  const { status, amountPaid, amountDue } = job
  const { amountAuthorized = '0', amountReleased = '0', amountRefunded = '0', amountChargedBack = '0' } = job
  return (
    `${status} with ${amountPaid} paid, ${amountDue} due, ${amountAuthorized} authorised, ${amountReleased} released, ` +
    `${amountRefunded} refunded and ${amountChargedBack} charged back`
  )
}
