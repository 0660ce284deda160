import fc from 'fast-check'

/** What goes wrong at the PSP for some of its next calls. */
export const PSP_FAULTS = [
  'refuses new payments',
  'answers 500',
  'cannot be reached',
  'does what it is asked, but its answer is lost',
  'does what it is asked, but answers nonsense',
  'does not know the payment',
  'is busy with the same announcement',
  'answers late',
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
  'KV is down',
  'KV knows no point of sale',
  'D1 and KV are down',
] as const
export type PlatformFault = (typeof PLATFORM_FAULTS)[number]

/** What money, and the word of it, may overtake on its way. */
export const OVERTAKEN = ['look', 'end', 'last pull', 'report'] as const
export type Overtaken = (typeof OVERTAKEN)[number]

export type Outcome = 'pays' | 'cancels' | 'fails' | 'is not sure yet' | 'leaves'
export type Carriage = 'once' | 'twice' | 'lost'

/** One thing that happens. `job`, `order` and `pick` are numbers that wrap around what there is of them. */
export type Command =
  | { do: 'order'; keyed: boolean; together: boolean; life: number | null }
  | { do: 'impatient order' }
  | { do: 'order again'; order: number; together: boolean; changed: boolean }
  | { do: 'read'; job: number }
  | { do: 'customer'; job: number; outcome: Outcome; back: number }
  | { do: 'come back'; job: number; look: number; together: boolean }
  | { do: 'money comes after all'; job: number; word: boolean }
  | { do: 'overtake'; job: number; what: Overtaken }
  | { do: 'notify'; pick: number; how: Carriage }
  | { do: 'ring'; job: number }
  | { do: 'time'; ms: number }
  | { do: 'late answers come' }
  | { do: 'reports'; pick: number; how: Carriage }
  | { do: 'index'; newestFirst: boolean; how: Carriage }
  | { do: 'psp'; fault: PspFault; calls: number }
  | { do: 'psp mends' }
  | { do: 'shop'; fault: ShopFault; calls: number }
  | { do: 'shop mends' }
  | { do: 'queue refuses'; queue: 'reports' | 'index'; sends: number }
  | { do: 'platform'; fault: PlatformFault }
  | { do: 'platform mends' }
  | { do: 'objects'; fault: 'overloaded' | 'moving'; calls: number }
  | { do: 'evict'; job: number }
  | { do: 'crash' }
  | { do: 'crash while sending'; accepted: boolean }

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Spans that mean something to the hub: the timers, leases and schedules lie between them. */
const SPANS = [SECOND, 9 * SECOND, 20 * SECOND, 2 * MINUTE, 31 * MINUTE, 2 * HOUR, 26 * HOUR, 100 * HOUR]
/** How long the PSP lets a payment be open; null is without end. */
const LIVES = [null, 15 * MINUTE, HOUR]

const few = fc.nat(2)
const yes = (percent: number) => fc.nat(99).map((n) => n >= 100 - percent)
const how = fc.constantFrom<Carriage[]>('once', 'once', 'once', 'twice', 'lost')
const is = <Kind extends Command['do']>(kind: Kind) => fc.constant(kind)

const order = fc.record({
  do: is('order'),
  keyed: yes(70),
  together: yes(20),
  life: fc.constantFrom(...LIVES),
})

const weighted: [weight: number, arbitrary: fc.Arbitrary<Command>][] = [
  [2, order],
  [2, fc.record({ do: is('impatient order') })],
  [3, fc.record({ do: is('order again'), order: few, together: yes(30), changed: yes(20) })],
  [2, fc.record({ do: is('read'), job: few })],
  [
    10,
    fc.record({
      do: is('customer'),
      job: few,
      outcome: fc.constantFrom<Outcome[]>(
        'pays',
        'pays',
        'pays',
        'cancels',
        'fails',
        'is not sure yet',
        'leaves',
      ),
      back: few,
    }),
  ],
  [4, fc.record({ do: is('come back'), job: few, look: fc.constantFrom(1, 1, 2, 4), together: yes(30) })],
  [4, fc.record({ do: is('money comes after all'), job: few, word: yes(60) })],
  [5, fc.record({ do: is('overtake'), job: few, what: fc.constantFrom(...OVERTAKEN) })],
  [6, fc.record({ do: is('notify'), pick: few, how })],
  [9, fc.record({ do: is('ring'), job: few })],
  [6, fc.record({ do: is('time'), ms: fc.constantFrom(...SPANS) })],
  [3, fc.record({ do: is('late answers come') })],
  [6, fc.record({ do: is('reports'), pick: few, how })],
  [
    4,
    fc.record({ do: is('index'), newestFirst: yes(40), how: fc.constantFrom<Carriage[]>('once', 'twice') }),
  ],
  [
    7,
    fc.record({ do: is('psp'), fault: fc.constantFrom(...PSP_FAULTS), calls: fc.constantFrom(1, 1, 2, 99) }),
  ],
  [2, fc.record({ do: is('psp mends') })],
  [
    5,
    fc.record({
      do: is('shop'),
      fault: fc.constantFrom(...SHOP_FAULTS),
      calls: fc.constantFrom(1, 1, 2, 99),
    }),
  ],
  [2, fc.record({ do: is('shop mends') })],
  [
    3,
    fc.record({
      do: is('queue refuses'),
      queue: fc.constantFrom('reports', 'index'),
      sends: fc.constantFrom(1, 1, 2, 9),
    }),
  ],
  [4, fc.record({ do: is('platform'), fault: fc.constantFrom(...PLATFORM_FAULTS) })],
  [2, fc.record({ do: is('platform mends') })],
  [
    1,
    fc.record({
      do: is('objects'),
      fault: fc.constantFrom('overloaded', 'moving'),
      calls: fc.constantFrom(1, 2),
    }),
  ],
  [2, fc.record({ do: is('evict'), job: few })],
  [1, fc.record({ do: is('crash') })],
  [1, fc.record({ do: is('crash while sending'), accepted: fc.boolean() })],
]

/** A schedule: an order comes first, and then anything may. */
export const schedules: fc.Arbitrary<Command[]> = fc
  .tuple(
    order,
    fc.array(fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
      minLength: 4,
      maxLength: 28,
      size: 'max',
    }),
  )
  .map(([first, others]) => [first, ...others])
