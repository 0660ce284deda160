import type { Why } from './why.ts'

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
