import { env } from 'cloudflare:workers'
import { type Job, isFinal } from '../../src/domain/job.ts'
import { isRightRow, wrongColumns } from '../../src/domain/index-row.ts'
import { toRow } from '../../src/domain/job-row.ts'
import { represent } from '../../src/domain/representation.ts'
import { rowsOf } from '../../src/storage/d1/job-index.ts'
import { directoryPage } from '../../src/storage/objects/job-directory.ts'
import type { JobJson } from '../support/hub.ts'
import { checkPayment } from './payment-promises.ts'
import { checkRefunds } from './refund-promises.ts'
import type { Inside } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** What must be so once everything has come to rest. */
export const checkPromises = async (world: World, all: readonly Inside[]): Promise<void> => {
  const jobs = all.flatMap(({ job }) => (job ? [job] : []))
  for (const id of world.jobs) {
    promise(
      jobs.some((job) => job.id === id),
      `job ${id} was acknowledged, and is gone`,
    )
  }
  for (const job of jobs) {
    promise(isFinal(job.status), `job ${job.id} is ${job.status} for ever`)
    world.traces.saw(JSON.parse(JSON.stringify(represent(job))) as JobJson, true)
    if (job.announcement.is === 'announced') {
      const { reference } = job.announcement
      const payment = world.psp.payments.find(({ id }) => id === reference)
      if (payment) checkPayment(job, payment)
      promise(payment !== undefined, `job ${job.id} has payment ${reference}, which the PSP never made`)
    }
    await checkRefunds(world, job)
    checkReports(job, world.shop.acceptedOf(job.id))
  }
  await checkIndex(jobs)
}

const checkReports = (job: Job, accepted: readonly JobJson[]): void => {
  const last = accepted.at(-1)
  promise(last !== undefined, `the shop was never told that job ${job.id} is ${job.status}`)
  const told = last && standingOf(last as Standing)
  const truth = standingOf(represent(job))
  promise(told === truth, `the shop was last told that job ${job.id} is ${told}, but it is ${truth}`)
}

type Standing = {
  status: string
  amountPaid: string | number
  amountRefunded?: string
  amountChargedBack?: string
}

const standingOf = ({
  status,
  amountPaid,
  amountRefunded = '0',
  amountChargedBack = '0',
}: Standing): string =>
  `${status} with ${amountPaid} paid, ${amountRefunded} refunded and ${amountChargedBack} charged back`

/** The index has each job as its object has it, and the ledger has it on the day of its creation. */
const checkIndex = async (jobs: readonly Job[]): Promise<void> => {
  const rows = await rowsOf(env, jobs)
  const days = new Map<string, ReadonlySet<string>>()
  for (const job of jobs) {
    const row = rows.find(({ id }) => id === job.id)
    promise(row !== undefined, `job ${job.id} is not in the index`)
    if (row) {
      const truth = toRow(job)
      const has = wrongColumns(row, truth).map((name) => `${name} ${row[name]} instead of ${truth[name]}`)
      promise(
        isRightRow(row, truth),
        `the index has job ${job.id} with ${has.join(', ') || 'a later change'}`,
      )
      const change = job.steps.findLast(
        ({ status, paid }, at) => job.steps[at - 1]?.status !== status || job.steps[at - 1]?.paid !== paid,
      )
      promise(
        row.updated >= (change?.at ?? 0),
        `the index has job ${job.id} as of ${row.updated}, before its last change`,
      )
    }
    const day = new Date(job.created / 1000).toISOString().slice(0, 10)
    if (!days.has(day)) days.set(day, new Set((await directoryPage(env, day, null, 100_000)).ids))
    promise(days.get(day)?.has(job.id) === true, `job ${job.id} is not in the ledger of ${day}`)
  }
}
