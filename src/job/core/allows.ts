import { realAt } from '../../contract/advance.ts'
import { DAY, HOUR } from '../../contract/timestamp.ts'
import { InstructionKind, type Observed } from '../../psp/answer.ts'
import { nextAlarm, nextWait } from './alarm.ts'
import { type Command, decide } from './decide.ts'
import type { Duty } from './duties.ts'
import type { Fact, FactOf } from './facts.ts'
import { decideInstruction, likes } from './instruct.ts'
import { mostOf } from './money.ts'
import { nameOfLook, terminalLook } from './where-to-look.ts'
import { isTaken } from './notices.ts'
import type { Payment, Where } from './payment.ts'
import { type State, untilOf } from './state.ts'
import { whyStop } from './stopping.ts'
import { isWorthAsking, turnAfter } from './who-may-ask.ts'

/*
 * What the rules would do next, whatever happens to a job. A refusal leaves no entry, so no journal shows that
 * the rules now refuse less. So a rehearsal tries the same in each state, and compares the results.
 */

/** A name that no job has. */
const NEW = 'new'

/** Returns what shops, operators, customers and PSPs may do, at a time (ms) by the job's clock. */
export function allowed(state: State, now: number) {
  const { clock, attempts, order, payments } = state
  const account = order.terminal?.account ?? attempts[0]?.account ?? NEW
  const outcome = { is: 'refused', message: NEW } as const
  const refused = { is: 'attempted', account, asked: 0, ms: 0, outcome } as const
  const commands: Command[] = [
    { do: 'cancel', by: 'shop' },
    { do: 'expire' },
    { do: 'send-report-again' },
    { do: 'clear-money' },
    { do: 'let-time-pass', to: Math.max(clock.wanted, clock.offset) + DAY },
    { do: 'record-also-paid', job: NEW, paid: 1 },
    { do: 'record-attempts', attempts: [refused] },
    { do: 'create-again', attempts: [refused] },
  ]
  return {
    ...byName(InstructionKind.options, (kind) => instructed(state, kind, now)),
    ...Object.fromEntries(commands.map((one) => [one.do, namesOf(decide(state, one, now))])),
    payments: payments.map((payment) => ofPayment(state, payment, now)),
    unknown: notices(state, { account, reference: NEW }, now),
  }
}

function byName<Name extends string, Made>(names: readonly Name[], make: (name: Name) => Made) {
  return Object.fromEntries(names.map((name) => [name, make(name)]))
}

function namesOf(facts: readonly Fact[]): string {
  return facts.map(({ is }) => is).join(' ')
}

/** Amounts around the most that is left, the last capture, one at a PSP that captures once, and a used id. */
function instructed(state: State, kind: InstructionKind, now: number) {
  const most = mostOf(state, kind)
  const used = likes(state, kind).at(-1)
  const accounts = state.payments.map(({ account }) => account)
  const wants = (amount: number | null, id = NEW, final = false, once: readonly string[] = []) => {
    const wanted = { kind, id, fingerprint: NEW, call: NEW, description: NEW, amount, final }
    const decided = decideInstruction(state, wanted, once, now)
    return decided.ok ? decided.value : decided.error
  }
  return {
    all: wants(null),
    one: wants(1),
    most: wants(most),
    more: wants(most + 1),
    last: wants(1, NEW, true),
    once: wants(1, NEW, false, accounts),
    used: used ? wants(1, used.id) : null,
  }
}

/** Anybody may send the first. Only the PSP can sign the others. */
const NOTIFIED: Readonly<Record<string, Partial<FactOf<'notified'>>>> = {
  bare: {},
  paid: { payment: NEW, claims: 'SUCCESS' },
  cancelled: { claims: 'CANCELLED' },
  chargedBack: { moves: [{ id: NEW, kind: 'chargeback', amount: 1 }] },
}

/**
 * Which notifications the hub keeps before and while it asks the PSP, whether the PSP gets a 200 for one without
 * and with a signature although it does not answer, and how the hub looks for an unknown payment.
 */
function notices(state: State, where: Where, now: number) {
  // By then a prompted question may be under way.
  const came = now + HOUR
  return byName(Object.keys(NOTIFIED), (name) => {
    const notified = { is: 'notified', came, ...where, ...NOTIFIED[name] } as const
    const keeps = (began: number) =>
      decide(state, { do: 'record-notification', notified, began }, now).length > 0
    return {
      kept: [keeps(0), keeps(came - 1)],
      taken: [isTaken(state, notified, false), isTaken(state, notified, true)],
      look: terminalLook(state, notified, now) ?? nameOfLook(state, notified),
    }
  })
}

/** Reasons to ask a PSP. */
const ASKERS = ['back', 'gave-up', 'wait', 'notified', 'claim', 'cancel', 'duty'] as const

const OPEN: Observed = { is: 'observed', status: 'PENDING', paid: 0, expiresAt: null }

/**
 * Why the hub would stop an open payment, what it makes of notifications, and who would ask the PSP or share an
 * answer that is a second old.
 */
function ofPayment(state: State, payment: Payment, now: number) {
  const { account, reference, asks } = payment
  const end = untilOf(state)
  const until = end === Infinity ? now : end
  const stop = (asked: number, expiresAt: number | null, isGivenUp: boolean) =>
    whyStop(state, { where: payment, asked }, { ...OPEN, expiresAt }, isGivenUp)
  const asked = asks.lastAt + 1
  const newest = { asked, answers: [{ answer: OPEN }], at: now - 1000, bringsPayment: false }
  return {
    stops: [
      stop(now, null, false),
      stop(now, null, true),
      stop(until, null, false),
      stop(until, until + DAY, false),
    ],
    notified: notices(state, { account, reference }, now),
    asks: byName(ASKERS, (why) => isWorthAsking(state, why) && turnAfter(newest, why, asks, now)),
  }
}

/** Returns when (ms) the object's alarm would ring, also if each duty had failed once, or often. */
export function alarmsOf({ clock }: State, all: readonly Duty[], now: number) {
  return [null, 0, 99].map((failures) => {
    const wait = failures === null ? 0 : nextWait({ until: 0, failures, isLent: false }, now, 0).until
    const pending = all.map((duty) => ({ duty, from: Math.max(duty.at, wait), isLent: false }))
    return nextAlarm(pending, clock, realAt(clock, now))?.at ?? null
  })
}
