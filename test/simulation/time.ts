import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { vi } from 'vitest'
import type { Entry } from '../../src/job/core/facts.ts'
import { AT_A_SWEEP } from '../../src/job/core/alarm.ts'
import type { PaymentJob, Plan } from '../../src/job/payment-job.ts'
import { storedEntries } from './journal-promises.ts'
import { deliverCopies, deliverIndex, deliverReports } from './messages.ts'
import { type Stored, storedOf } from '../support/jobs/job.ts'
import type { World } from './world.ts'

/** The most alarms that ring on time in one pass of time, if the caller names no other number; the rest ring late. */
const MOST_RINGS = 12

/** Alarms further away (ms) than this are for the retention time, for which no schedule waits. */
const TOO_FAR = 30 * 86_400_000

/** A job in its object, its journal, what the object has still to do, and the time (ms) of its alarm. */
export type ObjectReading = {
  id: string
  job: Stored | null
  entries: readonly Entry[]
  owed: Plan['duties']
  alarm: number | null
}

export async function readObject(world: World, id: string): Promise<ObjectReading> {
  const known = world.seen.get(id)
  if (known) return known
  const found = await runInDurableObject(world.platform.objectOf(id), async (object, state) => {
    const job = (object as PaymentJob).read()
    const entries = storedEntries(state.storage)
    world.journals.note(id, entries, job)
    // Only the object knows, after a crash, that the index may have another row than the journal says.
    const owed = (object as PaymentJob).plan().duties.filter((duty) => !AT_A_SWEEP.has(duty.do))
    return { id, job: job && storedOf(job), entries, owed, alarm: await state.storage.getAlarm() }
  })
  world.seen.set(id, found)
  return found
}

/** Moves the clock. Callers who wait lose patience on the way. */
export async function moveTo(world: World, instant: number): Promise<void> {
  while (world.firstEnd() <= instant) await world.loseFirstPatience()
  vi.setSystemTime(Math.max(instant, Date.now()))
  world.psp.tick()
}

/** Rings an object's alarm as the platform does: one at a time, and again if the handler failed. */
export async function ring(world: World, id: string): Promise<void> {
  if (world.ringing.has(id)) return world.settle()
  world.ringing.add(id)
  const rung = runDurableObjectAlarm(world.platform.objectOf(id)).then(
    () => world.ringing.delete(id),
    async () => {
      world.ringing.delete(id)
      await world.crashDone()
      await setIfNone(world, id)
    },
  )
  await world.start(rung)
  world.seen.delete(id)
}

/** Sets the alarm again after its handler was cut off. */
function setIfNone(world: World, id: string): Promise<void> {
  return runInDurableObject(world.platform.objectOf(id), async (_, state) => {
    if ((await state.storage.getAlarm()) === null) await state.storage.setAlarm(Date.now())
  })
}

/** Moves the clock to an object's next alarm, and rings it. */
export async function ringNext(world: World, id: string): Promise<void> {
  const { alarm } = await readObject(world, id)
  if (alarm === null || alarm > Date.now() + TOO_FAR) return
  await moveTo(world, alarm)
  await ring(world, id)
}

/** Lets time pass: alarms ring at their times, and queues are drained after each. */
export async function pass(world: World, ms: number, most = MOST_RINGS): Promise<void> {
  const end = Date.now() + ms
  for (let rings = 0; rings < most; rings++) {
    await deliverReports(world)
    const all = await Promise.all(world.ids().map((id) => readObject(world, id)))
    const due = all
      .filter(({ id, alarm }) => alarm !== null && alarm <= end && !world.ringing.has(id))
      .toSorted((a, b) => (a.alarm ?? 0) - (b.alarm ?? 0))[0]
    if (due === undefined || due.alarm === null) break
    await moveTo(world, due.alarm)
    await ring(world, due.id)
  }
  await moveTo(world, end)
  await deliverCopies(world)
  await deliverIndex(world, false, 'once')
}

/** Loses an alarm: the platform gives up after a few failures. */
export async function loseAlarm(world: World, id: string): Promise<void> {
  if (world.late.anyHeld()) return
  world.lost.alarms.add(id)
  await runInDurableObject(world.platform.objectOf(id), (_, state) => state.storage.deleteAlarm())
  world.seen.delete(id)
}
