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
  reportOf,
  receivedBy,
  noteReport,
  totalsOf,
} from './payments.ts'
import type { KnownPos } from './known-pos.ts'
import { playedAccounts } from './played.ts'
import type { RequestKind, HeldMove, PlayedAccount, PspStatus } from './played-psp.ts'
import { checkRefundAsked, checkStop } from './payment-promises.ts'
import { checkCaptureMade, checkCaptureRefused } from './reserved-promises.ts'
import { checkBegin } from './terminal-promises.ts'
import { promise } from './violation.ts'

/** How long (ms) the hub waits for a PSP. */
const PATIENCE = 8000
/** How long (ms) a PSP takes to pay out a refund. */
const REFUND_TAKES = 2 * DAY
/** How long (ms) a PSP takes to capture or release, if it does not do so at once. */
const CAPTURE_TAKES = 5 * HOUR
/** The Retry-After (s) of a PSP that asks for a pause. */
const RETRY_AFTER: Partial<Record<PspFault, string>> = {
  'asks to be left alone': '90',
  'asks to be left alone for hours': '10800',
  // The hub waits a day at most.
  'asks to be left alone for days': '432000',
}

const TIME_OUTS: Partial<Record<PspFault, 'reached' | 'lost'>> = {
  'loses orders on the way to its terminal': 'lost',
  'does not know that its terminal got an order': 'reached',
}

/**
 * An account at a PSP, its fault during the next calls, and its valid keys. `brownOut` says whether the next
 * call gets an answer.
 */
type ModelAccount = {
  played: PlayedAccount
  fault: { is: PspFault; calls: number } | null
  keys: number[]
  brownOut: (() => boolean) | null
}

/** What the PSPs can do to the rest of the world. `stopHub`: all its work in progress is lost. */
type Around = { late: LateAnswers; stopHub: () => void; guard: (check: () => void) => void }

/**
 * Decides when and how the PSPs fail, and keeps the truth of every payment. Their doubles give the answers.
 */
export function modelPsps(
  { late, stopHub, guard }: Around,
  { keys, accounts }: Pick<KnownPos, 'keys' | 'accounts'>,
  currency: Currency,
) {
  const payments: Payment[] = []
  const terminals = new Map<string, string>()
  /** The last answer about each payment: a lagging replica repeats it. */
  const lastLooks = new Map<Payment, Response>()
  const notices: Payment[] = []
  let manner: Manner = { captures: 'at once', releases: 'at once' }
  const models = playedAccounts().map((played, at): ModelAccount => ({
    played,
    fault: null,
    keys: [keys[at] ?? 0],
    brownOut: null,
  }))
  for (const { played } of models) {
    const id = terminalAt(accounts[played.name] ?? '')
    played.addTerminal?.(id, currency)
    if (played.addTerminal) terminals.set(played.name, id)
  }
  const takes = (name: string) => models.some(({ played }) => played.name === name && played.takes(currency))
  const psp = {
    currency,
    payments,
    /** The payments with pending notifications, once for each change. */
    notices,
    /** The hub's ids of refused orders, captures, releases and refunds. */
    refused: new Set<string>(),
    /** The hub's ids of accounts that an operator removed. */
    gone: new Set<string>(),
    /** Jobs whose till was told that no money was taken. */
    saidNothingTaken: new Set<string>(),
    /** Jobs at terminals whose cancel was accepted, and whether an order was on its way then. */
    cancelAccepted: new Map<string, boolean>(),
    /** Payments that were sent to a terminal. */
    begun: new Set<Payment>(),
    /** Whether all accounts take the currency of the shop. */
    takesEverywhere: () => models.every((model) => model.played.takes(currency)),
    /** Returns the accounts that take the currency first, then the others. */
    takersFirst: (names: readonly string[]) =>
      names.toSorted((one, other) => Number(takes(other)) - Number(takes(one))),
    takes,
    /** Whether the operators have removed no account and no terminal. */
    hasAll: () =>
      psp.gone.size === 0 && terminals.size === models.filter(({ played }) => played.addTerminal).length,
    /** Returns the id of an account's terminal; undefined if it has none. */
    terminalOf: (name: string) => terminals.get(name),
    hasTerminal: (id: string) => [...terminals.values()].includes(id),
    connectTerminals() {
      for (const { atTerminal } of payments) atTerminal?.isConnected(true)
    },
    removeTerminal: (name: string) => void terminals.delete(name),
    /** Returns whether a host is that of a PSP. */
    isPspHost: (hostname: string) => models.some(({ played }) => played.hosts.includes(hostname)),
    setManner(how: Manner) {
      manner = how
      for (const { played } of models) played.setManner(how)
    },
    /** Sets how long (ms) new payments can be paid; null: as long as the hub allows. */
    setLifetime(life: number | null) {
      for (const model of models) model.played.setLifetime(life)
    },
    setFault(is: PspFault, calls: number, name: string) {
      const model = models.find(({ played }) => played.name === name)
      const timeOut = TIME_OUTS[is]
      if (timeOut) return model?.played.addTimeouts?.(timeOut, calls)
      if (model)
        model.fault = { is, calls: is === 'is busy with the same announcement' ? Math.min(calls, 2) : calls }
    },
    /** Starts a brown-out of an account. Returns a function that ends it. */
    startBrownOut(name: string, isAnswered: () => boolean): () => void {
      const model = models.find(({ played }) => played.name === name)
      if (model) model.brownOut = isAnswered
      return () => {
        if (model) model.brownOut = null
      }
    },
    /** Ends the faults of all accounts, or of the one with this name. */
    clearFaults(name?: string) {
      for (const model of models) if (name === undefined || model.played.name === name) model.fault = null
    },
    /** Gives an account a new key. With `only`, its other keys stop working. */
    makeKey(at: number, only: boolean) {
      const model = models[at]
      if (!model) return
      const key = Math.max(...model.keys) + 1
      model.keys = only ? [key] : [...model.keys, key]
    },
    /** Returns an account's credentials with its newest key. */
    credentialsOf: (at: number): object => models[at]?.played.credentials(Math.max(...models[at].keys)) ?? {},
    /** Ends all keys of an account except the newest. */
    endOldKeys(at: number) {
      const model = models[at]
      if (model) model.keys = model.keys.slice(-1)
    },
    /** Returns the newest key of each account. */
    newestKeys: () => models.map((model) => Math.max(...model.keys)),
    /** Makes the PSPs forget all idempotency keys, as they do after a while. */
    forgetKeys() {
      for (const model of models) model.played.forgetKeys()
    },
    /** Whether an answer may be held back. */
    isLate: () => models.some(({ fault }) => fault?.is === 'answers late'),
    of: (job: string) => payments.filter((payment) => payment.job === job),
    /**
     * Sets the status of a payment. `notifies`: the PSP notifies the hub. If the shop captures manually, a
     * paid payment is only reserved.
     */
    setStatus(payment: Payment, status: PspStatus, notifies = true) {
      const isReserved = status === 'paid' && payment.isManual && !payment.reservation
      payment.status = isReserved ? 'authorized' : status
      payment.statuses.add(payment.status)
      if (payment.reservation) payment.reserved.since ??= Date.now()
      payment.reserved.noted = JSON.stringify(payment.reservation)
      psp.noteChange(payment, { notifies, byHub: false })
    },
    /** Makes a move of reserved money, and notes it if anything changed. */
    noteMove(payment: Payment, move: () => void, how: { notifies: boolean; byHub: boolean }) {
      move()
      const { reserved, reservation, status } = payment
      const words = JSON.stringify(reservation)
      if (words === reserved.noted) return
      reserved.noted = words
      payment.statuses.add(status)
      psp.noteChange(payment, how)
    },
    /** Notes that a payment or its totals changed. `byHub`: an instruction of the hub caused it. */
    noteChange(payment: Payment, { notifies, byHub }: { notifies: boolean; byHub: boolean }) {
      payment.changes++
      if (!byHub) payment.foreign = payment.changes
      noteTotals(payment)
      if (notifies) notices.push(payment)
    },
    /** Repeats the notifications that the hub has not accepted, if the PSP does so. */
    repeat() {
      for (const payment of payments) {
        const isUntold = payment.at.repeats && payment.notified < payment.changes
        if (isUntold && !notices.includes(payment)) notices.push(payment)
      }
    },
    /** Ends everything whose time is over. */
    tick() {
      const now = Date.now()
      for (const payment of payments) {
        const { status, expiresAt, ending } = payment
        noteTerminal(payment)
        if (status === 'open' && expiresAt !== null && expiresAt <= now) psp.setStatus(payment, 'expired')
        if (payment.reservation) tickReserved(payment, now)
        const isUnderWay = status === 'pending' || (status === 'authorized' && !payment.reservation)
        if (isUnderWay && ending && ending.at <= now) psp.setStatus(payment, ending.as, ending.notifies)
        for (const refund of liveRefunds(payment)) {
          const made = payment.madeAt.get(refund.id) ?? now
          if (refund.state === 'done' || made + REFUND_TAKES > now) continue
          refund.state = 'done'
          // If it counted from the start, the PSP does not notify the hub: the hub has to ask.
          if (payment.at.countsWhenDone)
            psp.noteChange(payment, { notifies: true, byHub: refund.hubId !== null })
        }
      }
    },
    async answer(request: Request): Promise<Response> {
      psp.tick()
      const model = models.find(({ played }) => isFor(played, request))
      if (!model) throw new TypeError('there is no such account')
      const { kind, payment: held, key } = await model.played.read(request)
      const now = nextFault(model, kind)
      const payment = payments.find((known) => known === held)
      const look: Payment['looks'][number] = { at: Date.now(), got: 'nothing' }
      if (LOOKS.has(kind)) payment?.looks.push(look)
      if (payment && kind === 'release') payment.reserved.releases++
      if (model.brownOut?.() === false) throw new DOMException('late', 'AbortError')
      if (now === 'answers 500') return new Response('<h1>Bad Gateway</h1>', { status: 502 })
      const retryAfter = now && RETRY_AFTER[now]
      if (retryAfter) return new Response('{}', { status: 429, headers: { 'retry-after': retryAfter } })
      const before = kind === 'look' && payment ? lastLooks.get(payment) : undefined
      if (now === 'answers as it did before' && before) {
        look.got = 'an old answer'
        return before.clone()
      }
      if (now === 'cannot be reached') throw new TypeError('network')
      if (now === 'refuses the account' || !isKeyOf(model, request)) return model.played.wrongKey()
      const isNew = kind === 'announce' && !payment
      if (now === 'is busy with the same announcement' && (isNew || ASKS_ONCE.has(kind)))
        return model.played.busy(request)
      // A repeated request gets its first answer: a PSP can only refuse new ones.
      const isNewMove = MOVES.has(kind) && !movesIn(payment, kind).some(({ hubId }) => hubId === key)
      const isNewRelease = kind === 'release' && payment !== undefined && heldOf(payment) > 0
      if (now === 'refuses new payments' && (isNew || isNewMove || isNewRelease)) {
        psp.refused.add(key)
        return model.played.refusal()
      }
      if (now === 'does not know the payment' && (kind === 'look' || kind === 'stop')) {
        look.got = 'a 404'
        return model.played.notFound()
      }
      const never = new Promise<never>(() => {})
      if (now === 'is instructed by a hub that stops before its request') return (stopHub(), never)
      const response = await act(model, request, kind, payment, key)
      if (now === 'is instructed by a hub that stops before its answer') return (stopHub(), never)
      const report = payment && reportOf(payment)
      if (now === 'does what it is asked, but its answer is lost') throw new TypeError('network')
      if (now === 'does what it is asked, but answers nonsense') return new Response('<h1>Hello</h1>')
      if (now === 'answers late' && !(await late.wait(PATIENCE))) throw new DOMException('late', 'AbortError')
      look.got = 'the truth'
      if (payment && kind === 'look' && response.ok) lastLooks.set(payment, response.clone())
      if (payment && report && response.ok && (kind === 'look' || kind === 'stop'))
        noteReport(payment, report)
      return response
    },
  }

  /** Notes that a payment ended at its terminal: it was busy, or never got the order, or nobody paid. */
  const noteTerminal = (payment: Payment): void => {
    const { atTerminal, status, statuses } = payment
    if (atTerminal && status !== 'open' && !statuses.has(status)) psp.setStatus(payment, status)
  }

  const act = async (
    { played }: ModelAccount,
    request: Request,
    kind: RequestKind,
    payment: Payment | undefined,
    key: string,
  ): Promise<Response> => {
    if (kind === 'stop' && payment) guard(() => checkStop(payment))
    const couldKnow = payment !== undefined && isKnown(payment)
    const before = payment?.changes
    const wasMade = movesIn(payment, kind).some(({ hubId }) => hubId === key)
    const known = new Request(request)
    if (!isByTerminalKey(played, request)) known.headers.set(played.proof.header, played.proof.of(0))
    const response = await played.handle(known)
    if (kind === 'announce' && !(response.ok && played.takes(currency))) psp.refused.add(key)
    for (const made of played.held().slice(payments.filter((each) => each.at === played).length)) {
      const fresh = newPayment(made, played, accounts[played.name] ?? '')
      payments.push(fresh)
      guard(() =>
        promise(fresh.amount === AMOUNT, `payment ${fresh.id} is of ${fresh.amount}, not of ${AMOUNT}`),
      )
      // A bank transfer is pending from the start, and the customer may never send the money.
      if (fresh.status === 'pending')
        fresh.ending = { at: Date.now() + longestWay(fresh), as: 'failed', notifies: true }
    }
    for (const each of payments) noteTerminal(each)
    for (const each of payments.filter(({ atTerminal }) => atTerminal?.isSent())) {
      if (!psp.begun.has(each)) guard(() => checkBegin(psp, each))
      psp.begun.add(each)
    }
    if (!payment) return response
    // If a stop comes too late, the PSP refuses it, or answers with the unchanged payment.
    if (kind === 'stop' && response.ok && ['canceled', 'expired'].includes(payment.status))
      psp.setStatus(payment, 'canceled')
    if (MOVES.has(kind) && !response.ok) psp.refused.add(key)
    if (kind === 'capture' && !response.ok && couldKnow && !wasMade)
      guard(() => checkCaptureRefused(payment, key))
    for (const capture of payment.captures.filter(({ id }) => !payment.madeAt.has(id))) {
      payment.madeAt.set(capture.id, Date.now())
      guard(() => checkCaptureMade(payment, psp.of(payment.job), capture.hubId))
    }
    if (kind === 'release' && response.ok && heldOf(payment) > 0)
      payment.reserved.releaseAt = manner.releases === 'in vain' ? Infinity : Date.now() + CAPTURE_TAKES
    // Adyen accepts every request, and says by a notification if it did nothing.
    const isAccepted = played.repeats && response.ok && (kind === 'capture' || kind === 'release')
    psp.noteMove(payment, () => {}, { notifies: played.repeats, byHub: true })
    if (isAccepted && payment.changes === before) psp.noteChange(payment, { notifies: true, byHub: true })
    for (const refund of payment.refunds.filter(({ id }) => !payment.madeAt.has(id))) {
      payment.madeAt.set(refund.id, Date.now())
      psp.noteChange(payment, { notifies: false, byHub: true })
      guard(() => checkRefundAsked(payment, refund.hubId))
    }
    return response
  }

  /** Completes the captures and releases that are due. */
  const tickReserved = (payment: Payment, now: number): void => {
    const { reserved } = payment
    for (const capture of payment.captures.filter(({ state }) => state === 'pending')) {
      if ((payment.madeAt.get(capture.id) ?? now) + CAPTURE_TAKES > now) continue
      const end = () => void (capture.state = manner.captures === 'in vain' ? 'failed' : 'done')
      psp.noteMove(payment, end, { notifies: true, byHub: true })
    }
    if (reserved.releaseAt !== null && reserved.releaseAt <= now)
      psp.noteMove(payment, () => payment.letGo(), { notifies: true, byHub: true })
    const held = heldOf(payment)
    psp.noteMove(payment, () => payment.lapse(), { notifies: true, byHub: false })
    if (held > 0 && heldOf(payment) === 0) reserved.lapsed = now
  }
  return psp
}
export type ModelPsps = ReturnType<typeof modelPsps>

/** Takes the fault of an account's next call. Only an instruction meets a hub that stops. */
function nextFault(model: ModelAccount, kind: RequestKind): PspFault | null {
  const { fault } = model
  if (!fault || (fault.is.startsWith('is instructed') && !INSTRUCTIONS.has(kind))) return null
  if (--fault.calls === 0) model.fault = null
  return fault.is
}

/** Returns the id of the terminal of an account. */
export function terminalAt(account: string): string {
  return `term_${account}`
}

function isFor(played: PlayedAccount, request: Request): boolean {
  const { hosts, proof } = played
  if (!hosts.includes(new URL(request.url).hostname)) return false
  return (
    request.headers.get(proof.header)?.startsWith(proof.of(0)) === true || isByTerminalKey(played, request)
  )
}

function isByTerminalKey({ proof }: PlayedAccount, { headers }: Request): boolean {
  return proof.atTerminals !== undefined && headers.get(proof.header) === proof.atTerminals
}

function isKeyOf({ played, keys }: ModelAccount, request: Request): boolean {
  if (isByTerminalKey(played, request)) return true
  return keys.some((key) => played.proof.of(key) === request.headers.get(played.proof.header))
}

/** Requests that read a payment, or stop it. */
const LOOKS: ReadonlySet<RequestKind> = new Set(['look', 'stop'])
const MOVES: ReadonlySet<RequestKind> = new Set(['refund', 'capture'])
const INSTRUCTIONS: ReadonlySet<RequestKind> = new Set([...MOVES, 'release'])
const ASKS_ONCE: ReadonlySet<RequestKind> = new Set(['announce', 'release', ...MOVES])

function movesIn(payment: Payment | undefined, kind: RequestKind): readonly HeldMove[] {
  return (kind === 'capture' ? payment?.captures : payment?.refunds) ?? []
}

/**
 * Notes what went back. A capture that fails after the job was paid counts as money that went back, and the
 * hub may have seen any earlier captured sum.
 */
function noteTotals(payment: Payment): void {
  const taken = receivedBy(payment)
  const { captured } = payment.reserved
  captured.add(taken)
  const { refunded, chargedBack } = totalsOf(payment)
  for (const before of captured)
    payment.totals.add(inWords({ refunded: refunded + Math.max(before - taken, 0), chargedBack }))
}
