import * as v from 'valibot'

/** Who has to act before a payment goes on. `nobody`: it has ended, and all is told. */
export const Move = v.picklist(['customer', 'psp', 'shop', 'operator', 'hub', 'nobody'])
export type Move = v.InferOutput<typeof Move>

/**
 * What happened to a payment, in plain words. `cause` is a name that programs can rely on. Times in
 * the texts are ISO 8601 in UTC, to the second, so that a program can show them in another zone.
 */
export const Why = v.object({
  cause: v.string(),
  happened: v.string(),
  move: Move,
  todo: v.string(),
  /** The same one by one: `do` is a name that programs can rely on, `says` is its sentence. */
  todos: v.array(v.object({ do: v.string(), says: v.string() })),
  /** Other things that are so beside the cause, each a sentence. */
  also: v.array(v.string()),
})
export type Why = v.InferOutput<typeof Why>

/** Whose move it is, in words: the CLI and the console say the same. */
export const MOVES: Readonly<Record<Why['move'], string>> = {
  customer: 'It is the customer’s move.',
  psp: 'It is the PSP’s move.',
  shop: 'It is the shop’s move.',
  operator: 'It is your move.',
  hub: 'It is the hub’s move.',
  nobody: 'The payment has ended.',
}

/** The times in the sentences of a `why`, which are shown as the reader's clock has them. */
export const INSTANTS = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/g
