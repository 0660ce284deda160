import { runInDurableObject } from 'cloudflare:test'
import { indexMessage } from '../../src/job/rules/messages.ts'
import type { World } from './world.ts'

/** The platform gives an alarm up: it does so after a few failures. */
export async function loseAlarm(world: World, id: string): Promise<void> {
  if (world.late.anyHeld()) return
  world.lost.alarms.add(id)
  await runInDurableObject(world.platform.objectOf(id), (_, state) => state.storage.deleteAlarm())
  world.seen.delete(id)
}

/** Index messages are lost, but for those by which the directory is to get a job: without it nobody could find the job. */
export async function loseRows({ platform: { index }, lost }: World): Promise<void> {
  const isKept = ({ body }: { body: unknown }): boolean => {
    const read = indexMessage.read(body)
    return !read.ok || !('row' in read.value) || !read.value.listed
  }
  const kept = index.waiting.filter(isKept)
  lost.rows ||= kept.length < index.waiting.length
  index.waiting.splice(0, Infinity, ...kept)
}
