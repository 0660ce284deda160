import type { Command } from './commands.ts'

const ORDER = { do: 'order', keyed: true, together: false, life: null, slow: false } as const
const AT_PAGE = { ...ORDER, manual: false, terminal: false } as const
const PAID = { do: 'customer', job: 0, outcome: 'pays', back: 1, days: 1, notifies: true } as const
const DOWN = { do: 'psp', fault: 'answers 500', calls: 99, at: 0 } as const

/** Schedules that broke a promise once, and that few seeds play. */
export const KNOWN_SCHEDULES: Readonly<Record<string, readonly Command[]>> = {
  'a refund during an outage of eight hours': [
    { do: 'route', to: ['adyen'] },
    AT_PAGE,
    PAID,
    { do: 'outage', job: 0, hours: 8, during: 'refund' },
  ],
  'two orders, one at a terminal, whose only account is removed': [
    { do: 'route', to: ['mollie'] },
    DOWN,
    AT_PAGE,
    { ...AT_PAGE, terminal: true },
    { do: 'account goes', at: 0 },
  ],
  'a chargeback during a prompted question': [
    AT_PAGE,
    PAID,
    { do: 'overtake', job: 0, what: 'prompted question' },
  ],
}
