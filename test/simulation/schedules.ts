import fc from 'fast-check'
import { AMOUNT } from './amounts.ts'
import {
  REPETITIONS,
  type TerminalEvent,
  RESERVATION_EVENTS,
  TERMINAL_EVENTS,
  BROWN_OUTS,
  type Delivery,
  type Command,
  INSTRUCTING,
  MONEY_MOVES,
  PENDING_OUTCOMES,
  MANNERS,
  OBJECT_FAULTS,
  OPERATOR_ACTIONS,
  OVERTAKEN,
  type Outcome,
  PLATFORM_FAULTS,
  PSP_FAULTS,
  ROUTES,
  SHOP_FAULTS,
  TEST_OUTCOMES,
} from './commands.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Times that matter to the hub: its timers, leases and schedules lie between them. */
const SPANS = [SECOND, 9 * SECOND, 20 * SECOND, 2 * MINUTE, 31 * MINUTE, 2 * HOUR, 26 * HOUR, 100 * HOUR]
/** How long the PSP keeps a payment open; null is without end. */
const LIVES = [null, 15 * MINUTE, HOUR]
/** Days for which money is under way, at most as long as its method allows. */
const DAYS = [1, 3, 6, 25]

const few = fc.nat(2)
function yes(percent: number) {
  return fc.nat(99).map((n) => n >= 100 - percent)
}
const how = fc.constantFrom<Delivery[]>('once', 'once', 'once', 'twice', 'backwards', 'lost')
function is<Kind extends Command['do']>(kind: Kind) {
  return fc.constant(kind)
}

/** Faults that keep an account from taking an order for now. */
const SILENT = [
  'answers 500',
  'cannot be reached',
  'asks to be left alone',
  'asks to be left alone for hours',
] as const

/** The percentages of orders that the shop captures manually, and that are for a terminal. */
type Kinds = { manual: number; terminal: number }

const order = ({ manual, terminal }: Kinds) =>
  fc.record({
    do: is('order'),
    keyed: yes(70),
    together: yes(20),
    life: fc.constantFrom(...LIVES),
    slow: yes(30),
    manual: yes(manual),
    terminal: yes(terminal),
  })

const faultOfPsp: fc.Arbitrary<Command> = fc.record({
  do: is('psp'),
  fault: fc.constantFrom(...PSP_FAULTS),
  calls: fc.constantFrom(1, 1, 2, 99),
  at: yes(35).map(Number),
})

/** Faults after which nobody knows whether a terminal got an order. */
const DOUBTFUL = [
  'does what it is asked, but its answer is lost',
  'does what it is asked, but answers nonsense',
  'answers late',
  'cannot be reached',
  'loses orders on the way to its terminal',
  'does not know that its terminal got an order',
] as const

const doubtful: fc.Arbitrary<Command> = fc.record({
  do: is('psp'),
  fault: fc.constantFrom(...DOUBTFUL),
  calls: fc.constantFrom(1, 2, 4),
  at: fc.constant(0),
})

/** Commands for shops that capture manually. */
const reserved: [weight: number, arbitrary: fc.Arbitrary<Command>][] = [
  [
    14,
    fc.record({
      do: is('shop captures'),
      job: few,
      amount: fc.constantFrom(null, 500, 500, 700, AMOUNT, AMOUNT + 1),
      final: yes(25),
      keyed: yes(60),
      times: fc.constantFrom(1, 1, 2, 3),
    }),
  ],
  [5, fc.record({ do: is('shop releases'), job: few, together: yes(30) })],
  [
    5,
    fc.record({
      do: is('reserved money'),
      job: few,
      how: fc.constantFrom(...RESERVATION_EVENTS),
      notifies: yes(60),
    }),
  ],
  [
    4,
    fc.record({
      do: is('psp behaves'),
      captures: fc.constantFrom(...MANNERS),
      releases: fc.constantFrom(...MANNERS),
    }),
  ],
]

/** Commands for the test job once its money is reserved. */
const testJob: [weight: number, arbitrary: fc.Arbitrary<Command>][] = [
  [1, fc.record({ do: is('test capture'), amount: fc.constantFrom(null, 500, 500, AMOUNT), final: yes(30) })],
  [1, fc.record({ do: is('test release') })],
]

/** Commands for customers who pay at a terminal. */
const atTerminal: [weight: number, arbitrary: fc.Arbitrary<Command>][] = [
  [
    16,
    fc.record({
      do: is('at terminal'),
      job: few,
      what: fc.constantFrom(...TERMINAL_EVENTS),
      notifies: yes(60),
    }),
  ],
  // A second till at the same terminal.
  [3, order({ manual: 0, terminal: 100 })],
  [3, fc.record({ do: is('shop cancels'), job: few, together: yes(40) })],
]

const weighted = (kinds: Kinds): [weight: number, arbitrary: fc.Arbitrary<Command>][] => [
  ...(kinds.manual > 0 ? reserved : []),
  ...(kinds.terminal > 0 ? atTerminal : []),
  ...testJob,
  [2, order(kinds)],
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
        'pays a part',
        'cancels',
        'fails',
        'pays slowly',
        'pays slowly, and in vain',
        'has the money reserved',
        'leaves',
      ),
      back: few,
      days: fc.constantFrom(...DAYS),
      notifies: yes(60),
    }),
  ],
  [2, fc.record({ do: is('customer insists'), fault: fc.constantFrom(...SILENT) })],
  [2, fc.record({ do: is('again and again'), job: few, what: fc.constantFrom(...REPETITIONS) })],
  [4, fc.record({ do: is('come back'), job: few, look: fc.constantFrom(1, 1, 2, 4), together: yes(30) })],
  [4, fc.record({ do: is('money comes after all'), job: few, notifies: yes(60) })],
  [3, fc.record({ do: is('money comes elsewhere'), job: few })],
  [
    3,
    fc.record({
      do: is('money on its way'),
      job: few,
      how: fc.constantFrom('arrives', ...PENDING_OUTCOMES),
      notifies: yes(60),
    }),
  ],
  [
    6,
    fc.record({
      do: is('money goes back'),
      job: few,
      how: fc.constantFrom(...MONEY_MOVES),
      part: fc.constantFrom(250, AMOUNT),
      notifies: yes(60),
      soon: yes(40),
    }),
  ],
  [
    8,
    fc.record({
      do: is('shop refunds'),
      job: few,
      amount: fc.constantFrom(null, 500, 500, AMOUNT, AMOUNT + 1),
      keyed: yes(60),
      times: fc.constantFrom(1, 1, 2, 3),
    }),
  ],
  [2, fc.record({ do: is('shop asks again'), pick: few, changed: yes(20) })],
  [2, fc.record({ do: is('shop cancels'), job: few, together: yes(40) })],
  [5, fc.record({ do: is('overtake'), job: few, what: fc.constantFrom(...OVERTAKEN) })],
  [6, fc.record({ do: is('notify'), pick: few, how })],
  [9, fc.record({ do: is('ring'), job: few })],
  [6, fc.record({ do: is('time'), ms: fc.constantFrom(...SPANS) })],
  [3, fc.record({ do: is('late answers come') })],
  [2, fc.record({ do: is('test order'), outcome: fc.constantFrom(...TEST_OUTCOMES), manual: yes(50) })],
  [
    3,
    fc.record({
      do: is('let time pass'),
      seconds: fc.constantFrom(1, 60, 3600, 86_400, 259_200),
      times: fc.constantFrom(1, 1, 2),
    }),
  ],
  [6, fc.record({ do: is('reports'), pick: few, how })],
  [
    4,
    fc.record({ do: is('index'), newestFirst: yes(40), how: fc.constantFrom<Delivery[]>('once', 'twice') }),
  ],
  [7, faultOfPsp],
  [
    2,
    fc.record({
      do: is('outage'),
      job: few,
      hours: fc.constantFrom(2, 8, 20, 60),
      during: fc.constantFrom(...INSTRUCTING, 'refund'),
    }),
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
      queue: fc.constantFrom('reports', 'index', 'copies', 'sweeps'),
      sends: fc.constantFrom(1, 1, 2, 9),
    }),
  ],
  [4, fc.record({ do: is('platform'), fault: fc.constantFrom(...PLATFORM_FAULTS) })],
  [2, fc.record({ do: is('platform mends') })],
  [
    1,
    fc.record({
      do: is('objects'),
      fault: fc.constantFrom(...OBJECT_FAULTS),
      calls: fc.constantFrom(1, 2),
    }),
  ],
  [4, fc.record({ do: is('operate'), job: few, what: fc.constantFrom(...OPERATOR_ACTIONS) })],
  [2, fc.record({ do: is('route'), to: fc.constantFrom(...ROUTES) })],
  [1, fc.record({ do: fc.constantFrom('account goes', 'terminal goes'), at: yes(35).map(Number) })],
  [1, fc.record({ do: is('rekey account'), at: fc.nat(1), late: fc.boolean() })],
  [1, fc.record({ do: is('rekey shop') })],
  [1, fc.record({ do: is('resecret'), hours: fc.constantFrom(0, 1, 24) })],
  [2, fc.record({ do: is('disable'), isDisabled: fc.boolean() })],
  [1, fc.record({ do: is('lose alarm'), job: few })],
  [1, fc.record({ do: is('lose rows') })],
  [2, fc.record({ do: is('clock steps back'), ms: fc.constantFrom(2, 900, 3000) })],
  [1, fc.record({ do: is('sweep') })],
  [2, fc.record({ do: is('evict'), job: few })],
  [2, fc.record({ do: is('newer release'), job: few })],
  [1, fc.record({ do: is('crash') })],
  [1, fc.record({ do: is('crash while sending'), accepted: fc.boolean() })],
]

/** What most customers do: otherwise few schedules would have money to refund. */
const payment: fc.Arbitrary<Command> = fc.record({
  do: is('customer'),
  job: fc.constant(0),
  outcome: fc.constantFrom<Outcome[]>('pays', 'pays', 'pays slowly', 'has the money reserved', 'pays a part'),
  back: fc.constant(1),
  days: fc.constantFrom(...DAYS),
  notifies: yes(60),
})

/** What customers at a counter, or the cashier, do most often. */
const paymentAtTerminal: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: atCounter() },
  { weight: 1, arbitrary: fc.record({ do: is('shop cancels'), job: fc.constant(0), together: yes(30) }) },
)

function atCounter() {
  return fc.record({
    do: is('at terminal'),
    job: fc.constant(0),
    what: fc.constantFrom<TerminalEvent[]>(
      'the card pays',
      'the card pays',
      'the customer gives a tip',
      'the card is read',
    ),
    notifies: yes(60),
  })
}

/** Draws a value in three schedules of four, else null. */
function most<One>(arbitrary: fc.Arbitrary<One>) {
  return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 3, arbitrary })
}

/**
 * A schedule: an order, usually its payment, and then any commands. Before it the route may change and a PSP
 * may fail: otherwise few orders would meet a fault. A brown-out is rare, because it takes many orders. In
 * two schedules of seven the shop captures manually, and in two more it sells at a counter.
 */
export const schedules: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 3, arbitrary: schedule({ manual: 0, terminal: 0 }) },
  { weight: 2, arbitrary: schedule({ manual: 80, terminal: 0 }) },
  { weight: 2, arbitrary: schedule({ manual: 0, terminal: 80 }) },
)

function schedule(kinds: Kinds): fc.Arbitrary<Command[]> {
  return fc
    .tuple(
      most(fc.record({ do: is('route'), to: fc.constantFrom(...ROUTES) })),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: faultOfPsp },
        { weight: kinds.terminal > 0 ? 3 : 0, arbitrary: doubtful },
      ),
      fc.oneof(
        { weight: 24, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.record({ do: is('brown-out'), how: fc.constantFrom(...BROWN_OUTS) }) },
      ),
      order(kinds),
      most(kinds.terminal > 0 ? paymentAtTerminal : payment),
      fc.array(fc.oneof(...weighted(kinds).map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
        minLength: 4,
        maxLength: 28,
        size: 'max',
      }),
    )
    .map(([routed, fault, brownOut, first, paid, others]) => [
      ...(routed ? [routed] : []),
      ...(brownOut ? [brownOut] : []),
      ...(fault ? [fault] : []),
      first,
      ...(paid ? [paid] : []),
      ...others,
    ])
}
