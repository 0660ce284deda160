/** What goes wrong at the PSP for some of its next calls. */
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
  'answers as it did before',
  'answers late',
  'loses orders on the way to its terminal',
  'does not know that its terminal got an order',
] as const
export type PspFault = (typeof PSP_FAULTS)[number]

/** What goes wrong at the shop's receiver for some of its next reports. */
export const SHOP_FAULTS = [
  'answers 500',
  'redirects',
  'cannot be reached',
  'takes the report in, but its answer is lost',
  'answers late',
  'is reached late',
] as const
export type ShopFault = (typeof SHOP_FAULTS)[number]

/** What goes wrong in the platform, until it is mended. */
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

/** What goes wrong with some of the next calls of jobs' objects. */
export const OBJECT_FAULTS = ['overloaded', 'moving', 'unable to write'] as const
export type ObjectFault = (typeof OBJECT_FAULTS)[number]

type QueueName = 'reports' | 'index' | 'copies' | 'sweeps'

/** What an operator does with one job. */
export const OPERATED = [
  'asks the PSP',
  'sends the report again',
  'cancels',
  'refunds',
  'captures',
  'releases',
  'rebuilds the index',
] as const
export type Operated = (typeof OPERATED)[number]

/** The accounts that are tried, in this order: one at each PSP, or two at the same. */
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

/** How a PSP may be unwell for a while, in which the shop goes on ordering. */
export const BROWN_OUTS = ['says nothing', 'comes and goes'] as const
export type BrownOut = (typeof BROWN_OUTS)[number]

/** What money, and the word of it, may overtake on its way. */
export const OVERTAKEN = ['look', 'end', 'last pull', 'report', 'silence'] as const
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

/** What somebody does over and over. */
export const AGAIN = ['comes back', 'reads', 'cancels', 'asks the PSP', 'sends the report again'] as const
export type Again = (typeof AGAIN)[number]

/** What the customer of a test job chooses on the sandbox's page. */
export const TEST_OUTCOMES = ['paid', 'failed', 'nothing'] as const
export type TestOutcome = (typeof TEST_OUTCOMES)[number]

/** How money moves after the payment, other than by the shop's wish. */
export const GOES_BACK = [
  'refunded at the PSP',
  'charged back',
  'no longer charged back',
  'not refunded after all',
] as const
export type GoesBack = (typeof GOES_BACK)[number]

/** What becomes of money that is under way or reserved. */
export const WAYS_ON = ['arrives', 'does not come', 'is given up for another try'] as const
export type WayOn = (typeof WAYS_ON)[number]

/** What somebody does with reserved money at the PSP itself, or the bank does. */
export const AT_PSP = ['captures a part', 'captures the rest', 'lets go', 'fails a capture'] as const
export type AtPsp = (typeof AT_PSP)[number]

/** How PSPs carry out the captures and releases to come, where they can take their time or fail. */
export const MANNERS = ['at once', 'later', 'in vain'] as const
export type Manner = Record<'captures' | 'releases', (typeof MANNERS)[number]>

export type Carriage = 'once' | 'twice' | 'backwards' | 'lost'

/** What happens at a card terminal. */
export const AT_TERMINAL = [
  'the card pays',
  'the customer gives a tip',
  'the card is read',
  'the card is declined',
  'nobody comes',
  'it loses its connection',
  'it is connected again',
] as const
export type AtTerminal = (typeof AT_TERMINAL)[number]

/**
 * `slow`: paid by bank transfer. `manual`: by a card, whose money the shop captures by itself. `terminal`:
 * at the terminal of the first account of the route, if that has one.
 */
export type OrderKind = { keyed: boolean; slow: boolean; manual: boolean; terminal: boolean }

/**
 * One thing that happens. `job`, `order` and `pick` are numbers that wrap around what there is of
 * them.
 */
export type Command =
  | ({ do: 'order'; together: boolean; life: number | null } & OrderKind)
  | { do: 'impatient order' }
  | { do: 'order again'; order: number; together: boolean; changed: boolean }
  | { do: 'read'; job: number }
  | { do: 'customer insists'; fault: PspFault }
  | { do: 'again and again'; job: number; what: Again }
  | { do: 'customer'; job: number; outcome: Outcome; back: number; days: number; word: boolean }
  | { do: 'at terminal'; job: number; what: AtTerminal; word: boolean }
  | { do: 'come back'; job: number; look: number; together: boolean }
  | { do: 'money comes after all'; job: number; word: boolean }
  | { do: 'money comes elsewhere'; job: number }
  | { do: 'money on its way'; job: number; how: WayOn; word: boolean }
  | { do: 'money goes back'; job: number; how: GoesBack; part: number; word: boolean; soon: boolean }
  | { do: 'shop refunds'; job: number; amount: number | null; keyed: boolean; times: number }
  | { do: 'shop captures'; job: number; amount: number | null; final: boolean; keyed: boolean; times: number }
  | { do: 'shop asks again'; pick: number; changed: boolean }
  | { do: 'shop releases'; job: number; together: boolean }
  | { do: 'reserved money'; job: number; how: AtPsp; word: boolean }
  | ({ do: 'psp behaves' } & Manner)
  | { do: 'shop cancels'; job: number; together: boolean }
  | { do: 'overtake'; job: number; what: Overtaken }
  | { do: 'notify'; pick: number; how: Carriage }
  | { do: 'ring'; job: number }
  | { do: 'time'; ms: number }
  | { do: 'late answers come' }
  | { do: 'test order'; outcome: TestOutcome; manual: boolean }
  | { do: 'test capture'; amount: number | null; final: boolean }
  | { do: 'test release' }
  | { do: 'let time pass'; seconds: number; times: number }
  | { do: 'reports'; pick: number; how: Carriage }
  | { do: 'index'; newestFirst: boolean; how: Carriage }
  | { do: 'psp'; fault: PspFault; calls: number; at: number }
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
  | { do: 'operate'; job: number; what: Operated }
  | { do: 'route'; to: Route }
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
