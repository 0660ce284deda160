import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import type { Manner, PspFault } from './commands.ts'
import { AMOUNT, type Currency } from './amounts.ts'
import type { LateAnswers } from './late.ts'
import {
  type Payment,
  heldOf,
  inWords,
  isKnown,
  liveRefunds,
  longestWay,
  newPayment,
  standing,
  takenBy,
  tell,
  totalsOf,
} from './payments.ts'
import type { KnownPos } from './known-pos.ts'
import { playedAccounts } from './played.ts'
import type { Asked, HeldMove, PlayedAccount, PspStatus } from './played-psp.ts'
import { checkRefundAsked, checkStop } from './payment-promises.ts'
import { checkCaptureMade, checkCaptureRefused } from './reserved-promises.ts'
import { checkBegin } from './terminal-promises.ts'
import { promise } from './violation.ts'

/** The hub waits this long for a PSP. */
const PATIENCE = 8000
/** How long (ms) a PSP takes to send a refund on. */
const REFUND_TAKES = 2 * DAY
/** How long (ms) a PSP takes to capture or to let go, where it does not do so at once. */
const CAPTURE_TAKES = 5 * HOUR
/** How long (s) a PSP asks to be left alone. */
const RETRY_AFTER: Partial<Record<PspFault, string>> = {
  'asks to be left alone': '90',
  'asks to be left alone for hours': '10800',
}

const TIME_OUTS: Partial<Record<PspFault, 'reached' | 'lost'>> = {
  'loses orders on the way to its terminal': 'lost',
  'does not know that its terminal got an order': 'reached',
}

/**
 * An account at a PSP, what is wrong with it for how many of the next calls, and which of its keys
 * work. In a brown-out each call is asked whether it is answered.
 */
type Side = {
  played: PlayedAccount
  fault: { is: PspFault; calls: number } | null
  keys: number[]
  brownOut: (() => boolean) | null
}

/**
 * Says when the PSPs fail and how, and keeps the truth of every payment. Their answers are those of
 * their doubles.
 */
export function modelPsps(
  late: LateAnswers,
  guard: (check: () => void) => void,
  { keys, accounts }: Pick<KnownPos, 'keys' | 'accounts'>,
  currency: Currency,
) {
  const payments: Payment[] = []
  const terminals = new Map<string, string>()
  /** What each payment's PSP last answered about it: a copy that lags says so again. */
  const lastLooks = new Map<Payment, Response>()
  const notices: Payment[] = []
  let manner: Manner = { captures: 'at once', releases: 'at once' }
  const sides = playedAccounts().map((played, at): Side => ({
    played,
    fault: null,
    keys: [keys[at] ?? 0],
    brownOut: null,
  }))
  for (const { played } of sides) {
    const id = terminalAt(accounts[played.name] ?? '')
    played.hasTerminal?.(id, currency)
    if (played.hasTerminal) terminals.set(played.name, id)
  }
  const takes = (name: string) => sides.some(({ played }) => played.name === name && played.takes(currency))
  const psp = {
    currency,
    payments,
    /** The payments that the hub is still to be notified of, once for each change. */
    notices,
    /** Jobs whose payment was refused, and captures, releases and refunds that were. */
    refused: new Set<string>(),
    /** Jobs of which a till was told that no money was taken. */
    toldNothing: new Set<string>(),
    /** Jobs at terminals whose cancel was taken, and whether an order was on its way then. */
    wishedEnded: new Map<string, boolean>(),
    /** Payments that were sent to a terminal. */
    begun: new Set<Payment>(),
    /** Captures and refunds that the hub was told the outcome of: it need not wait to know. */
    answered: new Set<string>(),
    /** Whether all accounts take the currency of the shop. */
    takesEverywhere: () => sides.every((side) => side.played.takes(currency)),
    /** The accounts that take it before those that do not. */
    takersFirst: (names: readonly string[]) =>
      names.toSorted((one, other) => Number(takes(other)) - Number(takes(one))),
    takes,
    /** The id of an account's terminal; undefined where none is played. */
    terminalOf: (name: string) => terminals.get(name),
    /** Whether a PSP is at an address. */
    isAt: (hostname: string) => sides.some((side) => side.played.host === hostname),
    behaves(how: Manner) {
      manner = how
      for (const { played } of sides) played.behaves(how)
    },
    /** How long (ms) payments to come can be paid; null: for as long as the hub lets them. */
    lives(life: number | null) {
      for (const side of sides) side.played.lives(life)
    },
    breaks(is: PspFault, calls: number, name: string) {
      const side = sides.find(({ played }) => played.name === name)
      const timeOut = TIME_OUTS[is]
      if (timeOut) return side?.played.timesOut?.(timeOut, calls)
      if (side)
        side.fault = { is, calls: is === 'is busy with the same announcement' ? Math.min(calls, 2) : calls }
    },
    /** An account has a brown-out, until what this gives is called. */
    brownsOut(name: string, isAnswered: () => boolean): () => void {
      const side = sides.find(({ played }) => played.name === name)
      if (side) side.brownOut = isAnswered
      return () => {
        if (side) side.brownOut = null
      }
    },
    /** All accounts are well again, or the one of this name. */
    mends(name?: string) {
      for (const side of sides) if (name === undefined || side.played.name === name) side.fault = null
    },
    /** The account gets one key more. With `only`, no other key works any more. */
    makeKey(at: number, only: boolean) {
      const side = sides[at]
      if (!side) return
      const key = Math.max(...side.keys) + 1
      side.keys = only ? [key] : [...side.keys, key]
    },
    /** The credentials of an account by its newest key. */
    credentialsOf: (at: number): object => sides[at]?.played.credentials(Math.max(...sides[at].keys)) ?? {},
    /** Of the keys of an account only the newest works now. */
    endOldKeys(at: number) {
      const side = sides[at]
      if (side) side.keys = side.keys.slice(-1)
    },
    /** The newest key of each account. */
    newestKeys: () => sides.map((side) => Math.max(...side.keys)),
    /** A PSP remembers keys for a while at best. */
    forgetsKeys() {
      for (const side of sides) side.played.forgetsKeys()
    },
    /** Whether the next answer may be held back. */
    isLate: () => sides.some(({ fault }) => fault?.is === 'answers late'),
    of: (job: string) => payments.filter((payment) => payment.job === job),
    /**
     * Moves a payment on, of which the hub is to be notified where there is a `word` of it. What is paid
     * is only reserved where the shop captures by itself.
     */
    becomes(payment: Payment, status: PspStatus, word = true) {
      const isReserved = status === 'paid' && payment.isManual && !payment.reservation
      payment.status = isReserved ? 'authorized' : status
      payment.been.add(payment.status)
      if (payment.reservation) payment.reserved.since ??= Date.now()
      payment.reserved.words = JSON.stringify(payment.reservation)
      psp.changed(payment, { word, own: false })
    },
    /** Notes what moves of reserved money. */
    moves(payment: Payment, move: () => void, how: { word: boolean; own: boolean }) {
      move()
      const { reserved, reservation, status } = payment
      const words = JSON.stringify(reservation)
      if (words === reserved.words) return
      reserved.words = words
      payment.been.add(status)
      psp.changed(payment, how)
    },
    /**
     * Notes that a payment or its totals have changed; `own` where a refund of the hub has caused
     * it.
     */
    changed(payment: Payment, { word, own }: { word: boolean; own: boolean }) {
      payment.changes++
      if (!own) payment.foreign = payment.changes
      noteTotals(payment)
      if (word) notices.push(payment)
    },
    /** What the hub has not taken comes again, from those PSPs that see to it. */
    repeat() {
      for (const payment of payments) {
        const isUntold = payment.at.repeats && payment.notified < payment.changes
        if (isUntold && !notices.includes(payment)) notices.push(payment)
      }
    },
    /** Ends what is past its time. */
    tick() {
      const now = Date.now()
      for (const payment of payments) {
        const { status, expiresAt, ending } = payment
        noteTerminal(payment)
        if (status === 'open' && expiresAt !== null && expiresAt <= now) psp.becomes(payment, 'expired')
        if (payment.reservation) tickReserved(payment, now)
        const isUnderWay = status === 'pending' || (status === 'authorized' && !payment.reservation)
        if (isUnderWay && ending && ending.at <= now) psp.becomes(payment, ending.as, ending.word)
        for (const refund of liveRefunds(payment)) {
          const made = payment.madeAt.get(refund.id) ?? now
          if (refund.state === 'done' || made + REFUND_TAKES > now) continue
          refund.state = 'done'
          // Where it counted before, nobody is notified: the hub has to ask for it.
          if (payment.at.countsWhenDone) psp.changed(payment, { word: true, own: refund.hubId !== null })
        }
      }
    },
    async answer(request: Request): Promise<Response> {
      psp.tick()
      const side = sides.find(({ played }) => isFor(played, request))
      if (!side) throw new TypeError('there is no such account')
      const now = side.fault?.is ?? null
      if (side.fault && --side.fault.calls === 0) side.fault = null
      const { asked, payment: held, key } = await side.played.read(request)
      const payment = payments.find((one) => one === held)
      const look: Payment['looks'][number] = { at: Date.now(), got: 'nothing' }
      if (LOOKS.has(asked)) payment?.looks.push(look)
      if (payment && asked === 'release') payment.reserved.asks++
      if (side.brownOut?.() === false) throw new DOMException('late', 'AbortError')
      if (now === 'answers 500') return new Response('<h1>Bad Gateway</h1>', { status: 502 })
      const alone = now && RETRY_AFTER[now]
      if (alone) return new Response('{}', { status: 429, headers: { 'retry-after': alone } })
      const before = asked === 'look' && payment ? lastLooks.get(payment) : undefined
      if (now === 'answers as it did before' && before) {
        look.got = 'an old answer'
        return before.clone()
      }
      if (now === 'cannot be reached') throw new TypeError('network')
      if (now === 'refuses the account' || !isKeyOf(side, request)) return side.played.refusesKey()
      const isNew = asked === 'announce' && !payment
      if (now === 'is busy with the same announcement' && (isNew || ASKS_ONCE.has(asked)))
        return side.played.isBusy()
      // A repeated request is answered as it was the first time: only what is new can be refused.
      const isNewMove = MOVES.has(asked) && !movesIn(payment, asked).some(({ hubId }) => hubId === key)
      const isNewRelease = asked === 'release' && payment !== undefined && heldOf(payment) > 0
      if (now === 'refuses new payments' && (isNew || isNewMove || isNewRelease)) {
        psp.refused.add(key)
        if (MOVES.has(asked)) psp.answered.add(key)
        return side.played.refuses()
      }
      if (now === 'does not know the payment' && (asked === 'look' || asked === 'stop')) {
        look.got = 'a 404'
        return side.played.knowsNone()
      }
      const response = await act(side, request, asked, payment, key)
      const told = payment && standing(payment)
      if (now === 'does what it is asked, but its answer is lost') throw new TypeError('network')
      if (now === 'does what it is asked, but answers nonsense') return new Response('<h1>Hello</h1>')
      if (now === 'answers late' && !(await late.wait(PATIENCE))) throw new DOMException('late', 'AbortError')
      look.got = 'the truth'
      if (MOVES.has(asked)) psp.answered.add(key)
      if (payment && asked === 'look' && response.ok) lastLooks.set(payment, response.clone())
      if (payment && told && response.ok && (asked === 'look' || asked === 'stop')) tell(payment, told)
      return response
    },
  }

  /** A terminal refuses what it is sent while it is busy, and gives up what it never got, or nobody paid. */
  const noteTerminal = (payment: Payment): void => {
    const { atTerminal, status, been } = payment
    if (atTerminal && status !== 'open' && !been.has(status)) psp.becomes(payment, status)
  }

  const act = async (
    { played }: Side,
    request: Request,
    asked: Asked,
    payment: Payment | undefined,
    key: string,
  ): Promise<Response> => {
    if (asked === 'stop' && payment) guard(() => checkStop(payment))
    const couldKnow = payment !== undefined && isKnown(payment)
    const before = payment?.changes
    const wasMade = movesIn(payment, asked).some(({ hubId }) => hubId === key)
    const known = new Request(request)
    if (!isByTerminalKey(played, request)) known.headers.set(played.proof.header, played.proof.of(0))
    const response = await played.handle(known)
    if (asked === 'announce' && !(response.ok && played.takes(currency))) psp.refused.add(key)
    for (const made of played.held().slice(payments.filter((each) => each.at === played).length)) {
      const fresh = newPayment(made, played, accounts[played.name] ?? '')
      payments.push(fresh)
      guard(() =>
        promise(fresh.amount === AMOUNT, `payment ${fresh.id} is of ${fresh.amount}, not of ${AMOUNT}`),
      )
      // The customer was told where to send the money, and may never do so.
      if (fresh.status === 'pending')
        fresh.ending = { at: Date.now() + longestWay(fresh), as: 'failed', word: true }
    }
    for (const each of payments) noteTerminal(each)
    for (const each of payments.filter(({ atTerminal }) => atTerminal?.isSent())) {
      if (!psp.begun.has(each)) guard(() => checkBegin(psp, each))
      psp.begun.add(each)
    }
    if (!payment) return response
    // A stop that comes too late is refused, or answered with how the payment stands.
    if (asked === 'stop' && response.ok && ['canceled', 'expired'].includes(payment.status))
      psp.becomes(payment, 'canceled')
    if (MOVES.has(asked) && !response.ok) psp.refused.add(key)
    if (asked === 'capture' && !response.ok && couldKnow && !wasMade)
      guard(() => checkCaptureRefused(payment, key))
    for (const capture of payment.captures.filter(({ id }) => !payment.madeAt.has(id))) {
      payment.madeAt.set(capture.id, Date.now())
      guard(() => checkCaptureMade(payment, psp.of(payment.job), capture.hubId))
    }
    if (asked === 'release' && response.ok && heldOf(payment) > 0)
      payment.reserved.releaseAt = manner.releases === 'in vain' ? Infinity : Date.now() + CAPTURE_TAKES
    // Adyen takes all of it, and tells by a notification that it did nothing.
    const isToldAlone = played.repeats && response.ok && (asked === 'capture' || asked === 'release')
    psp.moves(payment, () => {}, { word: played.repeats, own: true })
    if (isToldAlone && payment.changes === before) psp.changed(payment, { word: true, own: true })
    for (const refund of payment.refunds.filter(({ id }) => !payment.madeAt.has(id))) {
      payment.madeAt.set(refund.id, Date.now())
      psp.changed(payment, { word: false, own: true })
      guard(() => checkRefundAsked(payment, refund.hubId))
    }
    return response
  }

  /** What is under way with reserved money comes to its end. */
  const tickReserved = (payment: Payment, now: number): void => {
    const { reserved } = payment
    for (const capture of payment.captures.filter(({ state }) => state === 'pending')) {
      if ((payment.madeAt.get(capture.id) ?? now) + CAPTURE_TAKES > now) continue
      const end = () => void (capture.state = manner.captures === 'in vain' ? 'failed' : 'done')
      psp.moves(payment, end, { word: true, own: true })
    }
    if (reserved.releaseAt !== null && reserved.releaseAt <= now)
      psp.moves(payment, () => payment.letGo(), { word: true, own: true })
    const held = heldOf(payment)
    psp.moves(payment, () => payment.lapse(), { word: true, own: false })
    if (held > 0 && heldOf(payment) === 0) reserved.lapsed = now
  }
  return psp
}
export type ModelPsps = ReturnType<typeof modelPsps>

/** The id of the terminal of an account of the hub. */
export function terminalAt(account: string): string {
  return `term_${account}`
}

function isFor(played: PlayedAccount, request: Request): boolean {
  const { host, proof } = played
  if (new URL(request.url).hostname !== host) return false
  return (
    request.headers.get(proof.header)?.startsWith(proof.of(0)) === true || isByTerminalKey(played, request)
  )
}

function isByTerminalKey({ proof }: PlayedAccount, { headers }: Request): boolean {
  return proof.atTerminals !== undefined && headers.get(proof.header) === proof.atTerminals
}

function isKeyOf({ played, keys }: Side, request: Request): boolean {
  if (isByTerminalKey(played, request)) return true
  return keys.some((key) => played.proof.of(key) === request.headers.get(played.proof.header))
}

/** What tells the hub how a payment stands, or is meant to end it. */
const LOOKS: ReadonlySet<Asked> = new Set(['look', 'stop'])
const MOVES: ReadonlySet<Asked> = new Set(['refund', 'capture'])
const ASKS_ONCE: ReadonlySet<Asked> = new Set(['announce', 'release', ...MOVES])

function movesIn(payment: Payment | undefined, asked: Asked): readonly HeldMove[] {
  return (asked === 'capture' ? payment?.captures : payment?.refunds) ?? []
}

/**
 * Notes what has gone back. A capture that fails once the job is paid counts as money that went back, and
 * the hub may have seen any sum of those that were captured.
 */
function noteTotals(payment: Payment): void {
  const taken = takenBy(payment)
  const { captured } = payment.reserved
  captured.add(taken)
  const { refunded, chargedBack } = totalsOf(payment)
  for (const before of captured)
    payment.totals.add(inWords({ refunded: refunded + Math.max(before - taken, 0), chargedBack }))
}
