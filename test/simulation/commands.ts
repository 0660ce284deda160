/** Faults of a PSP during its next calls. */
export const PSP_FAULTS = [
  'refuses new payments',
  'answers 500',
  'cannot be reached',
  'does what it is asked, but its answer is lost',
  'does what it is asked, but answers nonsense',
  'does not know the payment',
  'is busy with the same announcement',
  'refuses the account',
  'asks to be left alone',
  'asks to be left alone for hours',
  'asks to be left alone for days',
  'answers as it did before',
  'answers late',
  'loses orders on the way to its terminal',
  'does not know that its terminal got an order',
  'is instructed by a hub that stops before its request',
  'is instructed by a hub that stops before its answer',
] as const
export type PspFault = (typeof PSP_FAULTS)[number]

/** Faults of the shop's receiver during its next reports. */
export const SHOP_FAULTS = [
  'answers 500',
  'redirects',
  'cannot be reached',
  'takes the report in, but its answer is lost',
  'answers late',
  'is reached late',
] as const
export type ShopFault = (typeof SHOP_FAULTS)[number]

/** Faults of the platform, which last until `platform mends`. */
export const PLATFORM_FAULTS = [
  'D1 is down',
  'one shard of the index is down',
  'KV is down',
  'KV cannot be written',
  'KV cannot be listed',
  'KV is a minute late',
  'KV knows no point of sale',
  'D1 and KV are down',
  'the job directory is down',
  "the shop's limits are used up",
] as const
export type PlatformFault = (typeof PLATFORM_FAULTS)[number]

/** Faults of the next calls to jobs' objects. */
export const OBJECT_FAULTS = ['overloaded', 'moving', 'unable to write'] as const
export type ObjectFault = (typeof OBJECT_FAULTS)[number]

type QueueName = 'reports' | 'index' | 'copies' | 'sweeps'

/** What an operator does with a job. */
export const OPERATOR_ACTIONS = [
  'asks the PSP',
  'sends the report again',
  'cancels',
  'refunds',
  'captures',
  'releases',
  'rebuilds the index',
  'announces',
  'announces all of an account',
  'clears money',
  'erases',
] as const
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number]

/** The routes: the accounts that the hub tries, in this order. */
export const ROUTES = [
  ['mollie'],
  ['mollie', 'stripe'],
  ['stripe', 'mollie'],
  ['stripe'],
  ['stripe', 'adyen'],
  ['multisafepay'],
  ['multisafepay', 'mollie', 'stripe'],
  ['stripe', 'multisafepay'],
  ['adyen'],
  ['adyen', 'stripe'],
  ['adyen', 'multisafepay'],
  ['mollie', 'mollie-2'],
  ['stripe', 'stripe-2'],
  ['multisafepay', 'multisafepay-2'],
  ['adyen', 'adyen-2'],
] as const
export type Route = (typeof ROUTES)[number]

/** How a PSP behaves during a brown-out, while the shop goes on ordering. */
export const BROWN_OUTS = ['says nothing', 'comes and goes'] as const
export type BrownOut = (typeof BROWN_OUTS)[number]

/** What a payment and its notification may overtake. */
export const OVERTAKEN = ['look', 'end', 'last pull', 'report', 'silence', 'prompted question'] as const
export type Overtaken = (typeof OVERTAKEN)[number]

export type Outcome =
  | 'pays'
  | 'pays a part'
  | 'pays slowly'
  | 'pays slowly, and in vain'
  | 'has the money reserved'
  | 'cancels'
  | 'fails'
  | 'leaves'

/** Actions that a customer, a shop or an operator repeats. */
export const REPETITIONS = [
  'comes back',
  'reads',
  'cancels',
  'asks the PSP',
  'sends the report again',
] as const
export type Repetition = (typeof REPETITIONS)[number]

/** What the customer of a test job chooses on the sandbox's page. */
export const TEST_OUTCOMES = ['paid', 'failed', 'nothing'] as const
export type TestOutcome = (typeof TEST_OUTCOMES)[number]

/** How money moves after the payment, without a request of the shop. */
export const MONEY_MOVES = [
  'refunded at the PSP',
  'charged back',
  'no longer charged back',
  'not refunded after all',
] as const
export type MoneyMove = (typeof MONEY_MOVES)[number]

/** The outcomes of money that is under way or reserved. */
export const PENDING_OUTCOMES = ['arrives', 'does not come', 'is given up for another try'] as const
export type PendingOutcome = (typeof PENDING_OUTCOMES)[number]

/** What the merchant does with reserved money at the PSP itself, or the bank does. */
export const RESERVATION_EVENTS = [
  'captures a part',
  'captures the rest',
  'lets go',
  'fails a capture',
] as const
export type ReservationEvent = (typeof RESERVATION_EVENTS)[number]

/** How PSPs carry out the next captures and releases, if they can be slow or fail. */
export const MANNERS = ['at once', 'later', 'in vain'] as const
export type Manner = Record<'captures' | 'releases', (typeof MANNERS)[number]>

/** What the shop requests while a PSP cannot be reached. */
export const INSTRUCTING = ['capture', 'release', 'refund', 'nothing'] as const
export type Instructing = (typeof INSTRUCTING)[number]

export type Delivery = 'once' | 'twice' | 'backwards' | 'lost'

/** Events at a card terminal. */
export const TERMINAL_EVENTS = [
  'the card pays',
  'the customer gives a tip',
  'the card is read',
  'the card is declined',
  'nobody comes',
  'it loses its connection',
  'it is connected again',
] as const
export type TerminalEvent = (typeof TERMINAL_EVENTS)[number]

/**
 * `keyed`: with an idempotency key. `slow`: by bank transfer. `manual`: by card, and the shop captures
 * manually. `terminal`: at the terminal of the route's first account, if it has one.
 */
export type OrderKind = { keyed: boolean; slow: boolean; manual: boolean; terminal: boolean }

/** One step of a schedule. `job`, `order` and `pick` choose one that exists, modulo how many there are. */
export type Command =
  | ({ do: 'order'; together: boolean; life: number | null } & OrderKind)
  | { do: 'impatient order' }
  | { do: 'order again'; order: number; together: boolean; changed: boolean }
  | { do: 'read'; job: number }
  | { do: 'customer insists'; fault: PspFault }
  | { do: 'again and again'; job: number; what: Repetition }
  | { do: 'customer'; job: number; outcome: Outcome; back: number; days: number; notifies: boolean }
  | { do: 'at terminal'; job: number; what: TerminalEvent; notifies: boolean }
  | { do: 'come back'; job: number; look: number; together: boolean }
  | { do: 'money comes after all'; job: number; notifies: boolean }
  | { do: 'money comes elsewhere'; job: number }
  | { do: 'money on its way'; job: number; how: PendingOutcome; notifies: boolean }
  | { do: 'money goes back'; job: number; how: MoneyMove; part: number; notifies: boolean; soon: boolean }
  | { do: 'shop refunds'; job: number; amount: number | null; keyed: boolean; times: number }
  | { do: 'shop captures'; job: number; amount: number | null; final: boolean; keyed: boolean; times: number }
  | { do: 'shop asks again'; pick: number; changed: boolean }
  | { do: 'shop releases'; job: number; together: boolean }
  | { do: 'reserved money'; job: number; how: ReservationEvent; notifies: boolean }
  | ({ do: 'psp behaves' } & Manner)
  | { do: 'shop cancels'; job: number; together: boolean }
  | { do: 'overtake'; job: number; what: Overtaken }
  | { do: 'notify'; pick: number; how: Delivery }
  | { do: 'ring'; job: number }
  | { do: 'time'; ms: number }
  | { do: 'late answers come' }
  | { do: 'test order'; outcome: TestOutcome; manual: boolean }
  | { do: 'test capture'; amount: number | null; final: boolean }
  | { do: 'test release' }
  | { do: 'let time pass'; seconds: number; times: number }
  | { do: 'reports'; pick: number; how: Delivery }
  | { do: 'index'; newestFirst: boolean; how: Delivery }
  | { do: 'psp'; fault: PspFault; calls: number; at: number }
  | { do: 'outage'; job: number; hours: number; during: Instructing }
  | { do: 'psp mends' }
  | { do: 'brown-out'; how: BrownOut }
  | { do: 'shop'; fault: ShopFault; calls: number }
  | { do: 'shop mends' }
  | { do: 'queue refuses'; queue: QueueName; sends: number }
  | { do: 'platform'; fault: PlatformFault }
  | { do: 'platform mends' }
  | { do: 'objects'; fault: ObjectFault; calls: number }
  | { do: 'evict'; job: number }
  | { do: 'newer release'; job: number }
  | { do: 'operate'; job: number; what: OperatorAction }
  | { do: 'route'; to: Route }
  | { do: 'account goes'; at: number }
  | { do: 'terminal goes'; at: number }
  | { do: 'rekey account'; at: number; late: boolean }
  | { do: 'rekey shop' }
  | { do: 'resecret'; hours: number }
  | { do: 'disable'; isDisabled: boolean }
  | { do: 'lose alarm'; job: number }
  | { do: 'lose rows' }
  | { do: 'clock steps back'; ms: number }
  | { do: 'sweep' }
  | { do: 'crash' }
  | { do: 'crash while sending'; accepted: boolean }
