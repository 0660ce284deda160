import { env } from 'cloudflare:workers'
import type { Stored } from '../support/job.ts'
import type { IndexPage } from '../../src/contract/job-index.ts'
import { directoryPage } from '../../src/job-index/job-directory.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/**
 * The directory has each job on the day of its creation, and `index verify` finds the index to have
 * each job of the directory as its object has it.
 */
export async function checkIndex(world: World, jobs: readonly Stored[]): Promise<void> {
  // What the platform has lost is mended as operators mend it.
  if (world.lost.rows) await rebuildIndex(world, jobs)
  const days = Map.groupBy(jobs, dayOf)
  for (const [day, ofDay] of days) {
    const { ids } = await directoryPage(env, day, null, 100_000)
    for (const { id } of ofDay) promise(ids.includes(id), `job ${id} is not in the directory of ${day}`)
    await checkDay(world, day, ofDay)
  }
}

/** The day on which a job was created. */
export function dayOf({ created }: Stored): string {
  return new Date(created / 1000).toISOString().slice(0, 10)
}

/** What the operator's own command says of a day. */
async function checkDay(world: World, day: string, jobs: readonly Stored[]): Promise<void> {
  for (const { wrong, wrongHours } of await pagesOf(world, 'GET', `/index/${day}/verify`)) {
    const own = wrong.filter((id) => jobs.some((job) => job.id === id))
    promise(own.length === 0, `index verify finds ${own.join()} wrong`)
    promise(wrongHours.length === 0, `the figures of ${wrongHours.join()} are not what the rows come to`)
  }
}

/** All pages of what an operator asks for. */
export async function pagesOf<Page extends { next: string | null } = IndexPage>(
  world: World,
  method: 'GET' | 'POST',
  path: string,
): Promise<Page[]> {
  const pages: Page[] = []
  let after: string | null = null
  do {
    const response: Response = await world.askAsOperator(
      method,
      after === null ? path : `${path}?after=${after}`,
    )
    promise(response.status === 200, `${method} ${path} was answered with ${response.status}`)
    const page = await response.json<Page>()
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
