import type { Repetition } from './commands.ts'
import { comeBack } from './customer.ts'
import { operateJob } from './operator.ts'
import { readJob } from './shop-client.ts'
import { cancelJob } from './shop-instructions.ts'
import { readObject, moveTo } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

const TIMES = 40
/** How long (ms) to pause between two repetitions: the hub shares an answer for less. */
const PAUSE = 3000
/** The most journal entries that 40 repetitions in two minutes may add. */
const MOST_NEWS = 12

const WAYS: Record<Repetition, (world: World, id: string) => Promise<unknown>> = {
  'comes back': (world, id) => comeBack(world, id, 1),
  reads: (world, id) => readJob(world, id),
  cancels: (world, id) => cancelJob(world, id, false),
  'asks the PSP': (world, id) => operateJob(world, id, 'asks the PSP'),
  'sends the report again': (world, id) => operateJob(world, id, 'sends the report again'),
}

/** Repeats an action 40 times, and checks that the job's journal hardly grows. */
export async function again(world: World, id: string, what: Repetition): Promise<void> {
  if (world.late.anyHeld() || world.psp.isLate() || world.shop.isLate()) return
  const before = (await readObject(world, id)).entries.length
  for (let times = 0; times < TIMES; times++) {
    await world.start(WAYS[what](world, id))
    await moveTo(world, Date.now() + PAUSE)
  }
  const news = (await readObject(world, id)).entries.length - before
  promise(news <= MOST_NEWS, `the journal of ${id} grew by ${news} entries: somebody ${what} ${TIMES} times`)
}
