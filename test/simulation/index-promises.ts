import { env } from 'cloudflare:workers'
import { isRightRow, wrongColumns } from '../../src/job-index/recount-jobs.ts'
import { rowOf } from '../../src/job/core/row.ts'
import type { Stored } from '../support/job.ts'
import type { IndexPage } from '../../src/contract/job-index.ts'
import { rowsOf } from '../../src/job-index/job-index.ts'
import { directoryPage } from '../../src/job-index/job-directory.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/**
 * The index has each job as its object has it, the directory has it on the day of its creation, and
 * `index verify` finds nothing.
 */
export async function checkIndex(world: World, jobs: readonly Stored[]): Promise<void> {
  // What the platform has lost is mended as operators mend it.
  if (world.lost.rows) await rebuildIndex(world, jobs)
  await checkRows(world, jobs)
  const days = Map.groupBy(jobs, dayOf)
  for (const [day, ofDay] of days) {
    const { ids } = await directoryPage(env, day, null, 100_000)
    for (const { id } of ofDay) promise(ids.includes(id), `job ${id} is not in the directory of ${day}`)
    await checkDay(world, day, ofDay)
  }
}

function dayOf({ created }: Stored): string {
  return new Date(created / 1000).toISOString().slice(0, 10)
}

async function checkRows(world: World, jobs: readonly Stored[]): Promise<void> {
  const rows = await rowsOf(world.env, jobs)
  for (const job of jobs) {
    const row = rows.find(({ id }) => id === job.id)
    promise(row !== undefined, `job ${job.id} is not in the index`)
    if (!row) continue
    const truth = rowOf(job)
    const has = wrongColumns(row, truth).map((name) => `${name} ${row[name]} instead of ${truth[name]}`)
    promise(isRightRow(row, truth), `the index has job ${job.id} with ${has.join(', ') || 'a later change'}`)
    const change = job.steps.findLast(
      ({ status, paid }, at) => job.steps[at - 1]?.status !== status || job.steps[at - 1]?.paid !== paid,
    )
    // A test job's steps are told by its own clock, its row by the real one.
    promise(
      job.clock.offset > 0 || row.updated >= (change?.at ?? 0),
      `the index has job ${job.id} as of ${row.updated}, before its last change`,
    )
  }
}

/** What the operator's own command says of a day. */
async function checkDay(world: World, day: string, jobs: readonly Stored[]): Promise<void> {
  for (const { wrong, wrongHours } of await pagesOf(world, 'GET', `/index/${day}/verify`)) {
    const own = wrong.filter((id) => jobs.some((job) => job.id === id))
    promise(own.length === 0, `index verify finds ${own.join()} wrong, and the simulation does not`)
    promise(wrongHours.length === 0, `the figures of ${wrongHours.join()} are not what the rows come to`)
  }
}

async function pagesOf(world: World, method: 'GET' | 'POST', path: string): Promise<IndexPage[]> {
  const pages: IndexPage[] = []
  let after: string | null = null
  do {
    const response: Response = await world.askAsOperator(
      method,
      after === null ? path : `${path}?after=${after}`,
    )
    promise(response.status === 200, `${method} ${path} was answered with ${response.status}`)
    const page = await response.json<IndexPage>()
    pages.push(page)
    after = page.next
  } while (after !== null)
  return pages
}

/**
 * `index verify` finds nothing wrong on the days of some jobs, of which there may be none any more.
 */
export async function expectIndexRight(world: World, jobs: readonly Stored[]): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(jobs, dayOf)) await checkDay(world, day, ofDay)
}

/**
 * Rebuilds the index of the days of some jobs: what a failed schedule has left there is no fault of
 * the next one's.
 */
export async function rebuildIndex(world: World, jobs: readonly Stored[]): Promise<void> {
  for (const day of new Set(jobs.map(dayOf))) await pagesOf(world, 'POST', `/index/${day}/rebuild`)
}
