import * as v from 'valibot'

/** The party that has to act next. `nobody`: the payment has ended, and its shop knows. */
export const Move = v.picklist(['customer', 'psp', 'shop', 'operator', 'hub', 'nobody'])
export type Move = v.InferOutput<typeof Move>

/**
 * Why a payment stands as it does, in plain words. `cause` is a stable name for programs. Times in
 * the texts are ISO 8601 in UTC, to the second, so that a program can show them in another zone.
 */
export const Why = v.object({
  cause: v.string(),
  happened: v.string(),
  move: Move,
  todo: v.string(),
  /** The parts of `todo`: `do` is a stable name for programs, `says` is its sentence. */
  todos: v.array(v.object({ do: v.string(), says: v.string() })),
  /** Other facts in addition to the cause, each a sentence. */
  also: v.array(v.string()),
})
export type Why = v.InferOutput<typeof Why>

/** The sentence for each `move`, the same in the CLI and the console. */
export const MOVES: Readonly<Record<Why['move'], string>> = {
  customer: 'It is the customer’s move.',
  psp: 'It is the PSP’s move.',
  shop: 'It is the shop’s move.',
  operator: 'It is your move.',
  hub: 'It is the hub’s move.',
  nobody: 'The payment has ended.',
}

/** The times in the sentences of a `why`, which programs show in the reader's time zone. */
export const INSTANTS = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/g
