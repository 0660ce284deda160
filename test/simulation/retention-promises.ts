import type { Stored } from '../support/jobs/job.ts'
import { readConfig } from '../../src/platform/config.ts'
import { rowsOf } from '../../src/job-index/job-index.ts'
import { deliverIndex, sweep } from './messages.ts'
import { expectIndexRight } from './index-promises.ts'
import { orderAgain } from './shop-client.ts'
import { readObject, moveTo, ring } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

const DAY = 86_400_000
/**
 * How long (ms) after its retention time a job is gone, purged by its alarm or by the sweep of overdue jobs.
 */
const GONE_WITHIN = 2 * DAY
/** The most sweeps that a purge takes. */
const SWEEPS = 3

/**
 * Checks that no job and no row stays past its retention time, that its key makes no second job, and that the
 * rest of the index is right.
 */
export async function checkPurge(world: World, jobs: readonly Stored[]): Promise<void> {
  const { retention } = readConfig(world.env)
  const last = Math.max(...jobs.map(({ updated }) => updated / 1000), Date.now())
  await moveTo(world, Math.ceil(last + retention + GONE_WITHIN))
  for (let sweeps = 0; sweeps < SWEEPS; sweeps++) {
    for (const { id } of jobs) await ringIfDue(world, id)
    await sweep(world)
    await deliverIndex(world, false, 'once')
    const left = await Promise.all(jobs.map(({ id }) => world.platform.objectOf(id).read()))
    if (left.every((job) => job === null)) break
    await moveTo(world, Date.now() + 3_600_000)
  }
  for (const { id } of jobs) {
    const left = await world.platform.objectOf(id).read()
    promise(
      left === null,
      `job ${id} is there ${(Date.now() - (left?.updated ?? 0) / 1000) / DAY} days after its last change`,
    )
  }
  const rows = await rowsOf(world.env, jobs)
  promise(rows.length === 0, `the index has ${rows.map(({ id }) => id).join()}, which is purged`)
  await expectIndexRight(world, jobs)
  for (const order of world.orders) {
    if (order.key !== null) await orderAgain(world, order)
  }
}

async function ringIfDue(world: World, id: string): Promise<void> {
  const { alarm } = await readObject(world, id)
  if (alarm !== null && alarm <= Date.now()) await ring(world, id)
}
