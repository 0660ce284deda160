import * as v from 'valibot'
import { Card, Progress } from '../../contract/terminals.ts'

/** The entry modes of a card, as the sandbox calls them. */
const EntryMode = v.picklist(['contactless', 'chip'])

/**
 * An event at a terminal: the customer gets further, the payment ends, or the sandbox stops answering for
 * some time (`lasts`, ms).
 */
const Scene = v.variant('is', [
  v.object({ is: v.literal('progress'), progress: Progress }),
  v.object({ is: v.literal('paid'), by: EntryMode, withTip: v.exactOptional(v.literal(true)) }),
  v.object({ is: v.literal('failed'), reason: v.string() }),
  v.object({ is: v.literal('expired') }),
  v.object({ is: v.literal('silent'), lasts: v.number() }),
])
export type Scene = v.InferOutput<typeof Scene>

/** A scene at a time (ms). */
export const PlannedScene = v.object({ at: v.number(), scene: Scene })
export type PlannedScene = v.InferOutput<typeof PlannedScene>

type Play = readonly (readonly [after: number, scene: Scene])[]

/** When (ms) a card is read, authorised and accepted, so far apart that the hub sees each stage. */
const [READ, AUTHORISE, END] = [1000, 3200, 5400]

function far(progress: Progress): Scene {
  return { is: 'progress', progress }
}

/** Reads and authorises a card, beginning at a time (ms), with this result. */
function tries(from: number, result: Scene): Play {
  return [
    [from + READ, far('card-read')],
    [from + AUTHORISE, far('authorising')],
    [from + END, result],
  ]
}

const TAPS = tries(0, { is: 'paid', by: 'contactless' })
const PAID_BY_CHIP: Scene = { is: 'paid', by: 'chip' }
export const DECLINED = 'declined: The bank declined the card.'
const LOST = 'terminal_unreachable: The terminal lost its connection.'

/** The plays at a simulated terminal: what the customer does, and how the bank or the terminal answers. */
export const PLAYS = {
  tap: TAPS,
  pin: tries(0, PAID_BY_CHIP),
  tip: tries(0, { is: 'paid', by: 'contactless', withTip: true }),
  'wrong-pin': [...tries(0, far('card-read')), ...tries(END, PAID_BY_CHIP).slice(1)],
  'soft-decline': [...tries(0, far('waiting-for-card')), ...tries(END, PAID_BY_CHIP)],
  declined: tries(0, { is: 'failed', reason: DECLINED }),
  away: [[60_000, { is: 'expired' }]],
  /** Nothing happens until a cancel, which comes too late. */
  'late-cancel': [],
  lost: [[0, { is: 'silent', lasts: 4000 }], ...TAPS],
  unplugged: [
    [READ, far('card-read')],
    [2 * READ, { is: 'silent', lasts: 12_000 }],
    [15_000, { is: 'failed', reason: LOST }],
  ],
} as const satisfies Readonly<Record<string, Play>>
export type PlayName = keyof typeof PLAYS

export function isPlay(name: string): name is PlayName {
  return Object.hasOwn(PLAYS, name)
}

/** Plans a play from now (ms) on. */
export function scenesOf(play: PlayName, now: number): PlannedScene[] {
  return PLAYS[play].map(([after, scene]) => ({ at: now + after, scene }))
}

/** Plans the end of a payment whose cancel came too late: its card is being authorised. */
export function scenesAfterCancel(now: number): PlannedScene[] {
  return [
    { at: now, scene: far('authorising') },
    { at: now + AUTHORISE, scene: { is: 'paid', by: 'contactless' } },
  ]
}

/** The card of every customer of the sandbox. */
export function cardOf(entryMode: v.InferOutput<typeof EntryMode>): v.InferOutput<typeof Card> {
  return { brand: 'visa', lastFour: '4242', entryMode, authorisationCode: '123456' }
}

/** Returns a tip of a tenth of the order, but at least one minor unit. */
export function tipOf(amount: number): number {
  return Math.max(Math.round(amount / 10), 1)
}
