/**
 * The words with which the `error` of a payment at a terminal begins, and who has to act on each. The
 * `customer` shows another card; the `cashier` takes another terminal or another way to pay; the `operator`
 * sets up the account; the `shop` looks at the order, or at money that the card may have been charged.
 */
export const TERMINAL_WORDS = {
  declined: 'customer',
  terminal_busy: 'cashier',
  terminal_off: 'cashier',
  terminal_unreachable: 'cashier',
  paid_in_part: 'cashier',
  perhaps_charged: 'shop',
  refused_method: 'operator',
  refused_account: 'operator',
  refused_amount: 'shop',
  refused_other: 'shop',
} as const
export type TerminalWord = keyof typeof TERMINAL_WORDS

/** Returns the word with which an error begins; undefined if it is none of a terminal's. */
export function terminalWordIn(error: string | null | undefined): TerminalWord | undefined {
  const word = /^[a-z_]+(?=:)/.exec(error ?? '')?.[0] ?? ''
  return isWord(word) ? word : undefined
}

function isWord(word: string): word is TerminalWord {
  return Object.hasOwn(TERMINAL_WORDS, word)
}
