import * as v from 'valibot'
import { HOUR } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { storedShape } from '../platform/stored.ts'
import { readJson } from '../registry/copies.ts'
import { directoryDays } from './job-directory.ts'
import { sweepMessage } from './sweep-message.ts'

/**
 * The edition of what rows say. Raise it if this release makes another row of the same job than the last
 * one did: the hub then writes the rows of all stored jobs again, by itself.
 */
const EDITION = 3

/** Which edition the index has, or is getting: `day` is the day in hand since `at` (ms), null at the end. */
export const indexEdition = storedShape(
  v.object({ edition: v.number(), day: v.nullable(v.string()), at: v.number() }),
)
const NAME = 'index-edition'

/** A day after all others. */
const LAST = '9999-12-31'

/** A day in hand for longer than this (ms) was lost by the queue, so the hub begins it again. */
const LOST_AFTER = 6 * HOUR

/** Brings all rows to this release, unless they are. Returns the day in hand, or null. */
export async function bringRows(env: Env, now: number): Promise<string | null> {
  const read = indexEdition.read(await readJson(env.TOKENS, NAME))
  const known = read.ok && read.value.edition === EDITION ? read.value : null
  if (known && (known.day === null || now - known.at < LOST_AFTER)) return known.day
  return bringDays(env, (day) => day <= (known?.day ?? LAST), now)
}

/** Goes on with the day before `day`, because the newest payments matter most. */
export async function bringEarlierDay(env: Env, day: string, now: number): Promise<void> {
  await bringDays(env, (earlier) => earlier < day, now)
}

async function bringDays(env: Env, isLeft: (day: string) => boolean, now: number): Promise<string | null> {
  const day = (await directoryDays(env)).filter(isLeft).toSorted().at(-1) ?? null
  const written = env.TOKENS.put(NAME, JSON.stringify(indexEdition.write({ edition: EDITION, day, at: now })))
  if (day === null) {
    await written
    return null
  }
  // KV takes one write a second per key. A day that it does not take is only not shown.
  await written.catch((error: unknown) => log.fault('kv.write-failed', error, { name: NAME }))
  await env.SWEEPS.send(
    sweepMessage.write({ check: day, after: null, wrong: 0, again: true, edition: EDITION }),
  )
  return day
}
