import * as v from 'valibot'
import { MINUTE } from '../../contract/timestamp.ts'
import type { RefusalReason } from '../answer.ts'
import { PLAYS, type PlayName, isPlay } from './plays.ts'

/**
 * Trouble that the sandbox plays until a time (ms): `slow` takes `seconds` for each answer, `down`
 * gives none.
 */
export const Outage = v.object({ is: v.picklist(['slow', 'down']), seconds: v.number(), until: v.number() })
export type Outage = v.InferOutput<typeof Outage>

/** The defaults (s) of how long a slow answer takes and how long the sandbox is down. */
const SECONDS = { slow: 3, down: 60 }

/** Returns an outage from now (ms) on: `slow` for a minute, `down` for `seconds`. Zero ends one. */
export function outageOf(is: Outage['is'], seconds = SECONDS[is], now: number): Outage {
  const lasts = is === 'slow' && seconds > 0 ? MINUTE : seconds * 1000
  return { is, seconds, until: now + lasts }
}

/** A behaviour of the sandbox that an order asks for by a word in its number. */
type Wish =
  | { is: 'refuse'; reason: RefusalReason }
  | { is: 'play'; play: PlayName }
  | { is: 'no-start'; reason: 'terminal_busy' | 'terminal_off' }
  | { is: Outage['is']; seconds: number | undefined }
  | { is: (typeof FAULTS)[number] }

const FAULTS = ['wrong-amount', 'capture-fails', 'capture-lost', 'release-fails'] as const

const WISH = new RegExp(
  `\\bsandbox-(?:(refuse)(?:-(amount|method|account))?|(slow|down)(?:-(\\d{1,5}))?|(${FAULTS.join('|')})|(${Object.keys(PLAYS).join('|')})|(busy|off))(?![\\w-])`,
)

/** Finds the wish in an order's number, such as `A-7 sandbox-slow-3`; null without one. */
export function wishIn(orderNumber: string): Wish | null {
  const [, refuse, why, outage, seconds, other, play, start] = WISH.exec(orderNumber.toLowerCase()) ?? []
  if (refuse) return { is: 'refuse', reason: REASONS[why ?? ''] ?? 'refused_other' }
  const fault = FAULTS.find((one) => one === other)
  if (fault) return { is: fault }
  if (play !== undefined && isPlay(play)) return { is: 'play', play }
  if (start) return { is: 'no-start', reason: start === 'busy' ? 'terminal_busy' : 'terminal_off' }
  if (outage !== 'slow' && outage !== 'down') return null
  return { is: outage, seconds: seconds === undefined ? undefined : Number(seconds) }
}

const REASONS: Readonly<Record<string, RefusalReason>> = {
  amount: 'refused_amount',
  method: 'refused_method',
  account: 'refused_account',
}
