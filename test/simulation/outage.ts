import { HOUR } from '../../src/contract/timestamp.ts'
import type { Instructing } from './commands.ts'
import { accountOf } from './customer.ts'
import { notifyNewest } from './messages.ts'
import { releaseJob, requestInstruction } from './shop-instructions.ts'
import { pass } from './time.ts'
import type { World } from './world.ts'

/** More alarms than a job has in three days of silence. */
const MOST_RINGS = 200

/** Nobody can reach a job's PSP for hours, during which the shop instructs it. All alarms ring on time. */
export async function outage(
  world: World,
  id: string,
  { hours, during }: { hours: number; during: Instructing },
): Promise<void> {
  const name = accountOf(world, id)
  await notifyNewest(world, 'once')
  world.psp.setFault('cannot be reached', Infinity, name)
  if (during === 'release') await releaseJob(world, id, false)
  else if (during !== 'nothing')
    await requestInstruction(world, during, id, { amount: null, keyed: true, times: 1 })
  await pass(world, hours * HOUR, MOST_RINGS)
  world.psp.clearFaults(name)
}
