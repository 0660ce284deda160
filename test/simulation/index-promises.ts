import { env } from 'cloudflare:workers'
import type { Stored } from '../support/jobs/job.ts'
import type { IndexPage } from '../../src/contract/job-index.ts'
import { directoryPage } from '../../src/job-index/job-directory.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/**
 * Checks that the directory lists each job on the day of its creation, and that `index verify` finds no wrong
 * row.
 */
export async function checkIndex(world: World, jobs: readonly Stored[]): Promise<void> {
  // After lost messages the operator rebuilds the index.
  if (world.lost.rows) await rebuildIndex(world, jobs)
  const days = Map.groupBy(jobs, dayOf)
  for (const [day, ofDay] of days) {
    const { ids } = await directoryPage(env, day, null, 100_000)
    for (const { id } of ofDay) promise(ids.includes(id), `job ${id} is not in the directory of ${day}`)
    await checkDay(world, day, ofDay)
  }
}

/** Returns the day on which a job was created. */
export function dayOf({ created }: Stored): string {
  return new Date(created / 1000).toISOString().slice(0, 10)
}

/** Checks a day with `index verify`. */
async function checkDay(world: World, day: string, jobs: readonly Stored[]): Promise<void> {
  for (const { wrong, wrongHours } of await pagesOf(world, 'GET', `/index/${day}/verify`)) {
    const own = wrong.filter((id) => jobs.some((job) => job.id === id))
    promise(own.length === 0, `index verify finds ${own.join()} wrong`)
    promise(wrongHours.length === 0, `the figures of ${wrongHours.join()} do not match the rows`)
  }
}

/** Returns all pages of an operator's request. */
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

/** Checks the index on the days of some jobs, even if they are all purged. */
export async function expectIndexRight(world: World, jobs: readonly Stored[]): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(jobs, dayOf)) await checkDay(world, day, ofDay)
}

/** Rebuilds the index on the days of some jobs. */
export async function rebuildIndex(world: World, jobs: readonly Stored[]): Promise<void> {
  for (const day of new Set(jobs.map(dayOf))) await pagesOf(world, 'POST', `/index/${day}/rebuild`)
}
