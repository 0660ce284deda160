import type { Move } from '../../contract/why.ts'

/** Every reason why a payment stands as it does, and who has to act. Programs rely on the names. */
export const CAUSES = {
  // The payment is PENDING.
  'customer-not-back': 'customer',
  'customer-came-back': 'customer',
  'part-is-due': 'customer',
  'money-underway': 'psp',
  'money-reserved': 'hub',
  'capture-refused': 'operator',
  'capture-failed': 'shop',
  'capture-awaited': 'shop',
  'capture-ends-soon': 'shop',
  'capture-pending': 'psp',
  'release-pending': 'psp',
  'release-failed': 'hub',
  'psp-silent-at-announcement': 'psp',
  'psp-wants-no-request': 'psp',
  'psp-silent-at-pulls': 'psp',
  'psp-end-unknown': 'psp',
  'psp-refuses-credentials': 'operator',
  'psp-knows-no-payment': 'operator',
  'signed-not-shown': 'operator',
  'terminal-asked': 'hub',
  'terminal-waits-for-card': 'customer',
  'terminal-in-doubt': 'psp',
  // It has ended, and its report is delivered.
  paid: 'nobody',
  'psp-refused-order': 'shop',
  'payment-failed': 'nobody',
  'terminal-busy': 'shop',
  'terminal-off': 'shop',
  'terminal-unreachable': 'shop',
  'terminal-declined': 'shop',
  'terminal-refused': 'operator',
  'cancelled-by-customer': 'nobody',
  'cancelled-by-shop': 'nobody',
  'cancelled-by-operator': 'nobody',
  released: 'nobody',
  'not-captured-in-time': 'nobody',
  expired: 'nobody',
  'expired-unannounced': 'operator',
  'expired-unconfirmed': 'operator',
  // Its report is not delivered.
  'report-due': 'hub',
  'receiver-answers-error': 'shop',
  'receiver-unreachable': 'shop',
  'receiver-too-slow': 'shop',
  'report-given-up': 'shop',
  'report-unwanted': 'shop',
  'report-address-refused': 'shop',
  // The money is not as it should be.
  'paid-twice': 'operator',
  'paid-at-other-account': 'nobody',
  'charged-back': 'shop',
  'cancelled-after-paid': 'shop',
  'capture-bounced': 'shop',
  'still-reserved': 'operator',
  'refund-failed': 'operator',
  overpaid: 'operator',
  'paid-in-part': 'operator',
  'paid-late': 'operator',
  'late-accepted': 'nobody',
  'order-paid-again': 'shop',
  cleared: 'nobody',
  'refund-pending': 'psp',
  refunded: 'nobody',
} as const satisfies Record<string, Move>
export type Cause = keyof typeof CAUSES

/** Something that a person can do about a cause. The operator API puts it into words. */
export type Todo =
  | {
      do:
        | 'nothing'
        | 'wait'
        | 'new-job'
        | 'ask-psp'
        | 'watch-psp'
        | 'announce'
        | 'refund'
        | 'refund-again'
        | 'refund-rest'
        | 'let-pay'
        | 'capture'
        | 'release'
        | 'tap'
        | 'take-nothing'
        | 'pay-otherwise'
    }
  | { do: 'check-account' | 'renew-credentials' | 'route-elsewhere' | 'check-terminal'; account: string }
  | { do: 'look-at-psp'; account: string; reference: string }
  | { do: 'change-order' | 'mend-receiver' | 'send-report-again' | 'change-report-url' | 'answer-dispute' }
  | { do: 'collect-rest' | 'deliver-or-refund' | 'keep-goods' | 'look-at-others' | 'clear' }

/** A cause that applies to a job, and what can be done about it. */
export type Finding = { cause: Cause; todo: Todo[] }

/** The finding that matters most, and the others. */
export type Why = { main: Finding; others: Finding[] }
