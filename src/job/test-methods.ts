import { FORMER_METHODS, PAYMENT_METHODS } from '../contract/payment-methods.ts'
import { ADAPTERS } from '../psp/adapters.ts'

/**
 * The names of payment methods that an order in test mode may have: the common ones, then the
 * others that a PSP knows, by name.
 */
export const TEST_METHODS: readonly string[] = [
  ...new Set([
    ...PAYMENT_METHODS,
    ...Object.values(ADAPTERS)
      .flatMap(({ methods }) => Array.from(methods.keys()))
      .toSorted(),
  ]),
]

const TAKEN: ReadonlySet<string> = new Set([...TEST_METHODS, ...FORMER_METHODS])

/** Whether an order in test mode may have this name, in small or capital letters. */
export function isTestMethod(name: string): boolean {
  return TAKEN.has(name.toLowerCase())
}
