import * as v from 'valibot'
import { MINUTE } from '../../contract/timestamp.ts'
import type { RefusalReason } from '../answer.ts'
import { PLAYS, type PlayName, isPlay } from './plays.ts'

/**
 * The sandbox's behaviour for a time, like a PSP in trouble: `slow` takes `seconds` for each
 * answer, `down` gives none. `until` is in milliseconds.
 */
export const Weather = v.object({
  is: v.picklist(['slow', 'down']),
  seconds: v.number(),
  until: v.number(),
})
export type Weather = v.InferOutput<typeof Weather>

/** The defaults (s): how long a slow answer takes, and how long the sandbox is down. */
const SECONDS = { slow: 3, down: 60 }

/** Returns a weather: `slow` for a minute, `down` for `seconds`. Zero ends either. */
export function weatherOf(is: Weather['is'], seconds = SECONDS[is], now: number): Weather {
  const lasts = is === 'slow' && seconds > 0 ? MINUTE : seconds * 1000
  return { is, seconds, until: now + lasts }
}

/** A behaviour that an order asks of the sandbox by a word in its number. */
type Wish =
  | { is: 'refuse'; reason: RefusalReason }
  | { is: 'play'; play: PlayName }
  | { is: 'no-start'; reason: 'terminal_busy' | 'terminal_off' }
  | { is: Weather['is']; seconds: number | undefined }
  | { is: (typeof FAULTS)[number] }

const FAULTS = ['wrong-amount', 'capture-fails', 'capture-lost', 'release-fails'] as const

const WISH = new RegExp(
  `\\bsandbox-(?:(refuse)(?:-(amount|method|account))?|(slow|down)(?:-(\\d{1,5}))?|(${FAULTS.join('|')})|(${Object.keys(PLAYS).join('|')})|(busy|off))(?![\\w-])`,
)

/** Finds the wish in an order's number, such as `A-7 sandbox-slow-3`; null without one. */
export function wishIn(orderNumber: string): Wish | null {
  const [, refuse, why, weather, seconds, other, play, start] = WISH.exec(orderNumber.toLowerCase()) ?? []
  if (refuse) return { is: 'refuse', reason: REASONS[why ?? ''] ?? 'refused_other' }
  const fault = FAULTS.find((one) => one === other)
  if (fault) return { is: fault }
  if (play !== undefined && isPlay(play)) return { is: 'play', play }
  if (start) return { is: 'no-start', reason: start === 'busy' ? 'terminal_busy' : 'terminal_off' }
  if (weather !== 'slow' && weather !== 'down') return null
  return { is: weather, seconds: seconds === undefined ? undefined : Number(seconds) }
}

const REASONS: Readonly<Record<string, RefusalReason>> = {
  amount: 'refused_amount',
  method: 'refused_method',
  account: 'refused_account',
}
