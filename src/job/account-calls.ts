import type { Psp } from '../psp/port.ts'
import { type Account, accountsFor } from '../registry/profile.ts'
import { readProfile } from '../registry/copies.ts'
import { log } from '../platform/log.ts'
import { withDeadline } from '../platform/deadline.ts'
import { reportRefused } from '../psp/health/account-refused.ts'
import { announceAtOne } from '../psp/announce.ts'
import { REMOVED_ACCOUNT, REMOVED_PSP, SILENT_PSP, openAccount, findAccount, railOf } from '../psp/connect.ts'
import { DEADLINE, unavailable } from '../psp/http-client.ts'
import type { AskAnswer } from '../psp/answer.ts'
import type { PaymentAnswer } from './core/decide.ts'
import { heldAt } from './core/attempts.ts'
import type { InstructionResult } from './core/instruct.ts'
import type { Instruction, Payment } from './core/payment.ts'
import { isOpen, whyStop } from './core/stopping.ts'
import type { FactOf } from './core/facts.ts'
import { START_WITHIN } from './core/schedule.ts'
import { accountOf } from './core/row.ts'
import { type State, findPayment } from './core/state.ts'
import { PERHAPS_SENT, announcedOf, attemptedOf } from './announce.ts'
import { takersOf } from '../psp/adapters.ts'

/**
 * Asks the PSP how a payment stands. Stops the payment if the customer should not pay it any more, or else confirms one
 * that the customer has approved. `read`: the job may end during the question, and then no money may be taken. A PSP
 * that does not answer is data, here and below. Only faults of the hub are thrown, because they say nothing about the
 * payment.
 */
export async function askAbout(
  env: Env,
  read: () => State,
  payment: Payment,
  { isGivenUp, asked }: { isGivenUp: boolean; asked: number },
): Promise<PaymentAnswer[]> {
  const state = read()
  const rail = railOf(await pspAt(env, state, payment.account), payment.way)
  const { reference } = payment
  const { order } = state
  const seen = await rail.ask(reference, order.currency)
  logSilence(env, state, payment, seen)
  const stop = whyStop(read(), { where: payment, asked }, seen, isGivenUp)
  if (stop !== null) return [{ answer: await rail.stop(reference, order.currency), stopped: stop }]
  if (!rail.confirm || !isOpen(seen) || !seen.approved) return [{ answer: seen }]
  const answer = await rail.confirm(reference, order)
  logSilence(env, state, payment, answer)
  return [{ answer }]
}

/** Sends an order to its terminal. `isFirst`: it cannot have reached the terminal before. */
async function sendToTerminal(
  env: Env,
  state: State,
  terminal: NonNullable<State['order']['terminal']>,
  isFirst: boolean,
): Promise<FactOf<'attempted'>[]> {
  const account = await findAccount(env, terminal.account)
  if (!account) {
    logNoAccount(state, terminal.account)
    const asked = Date.now()
    const attempt = { account: terminal.account, asked, ms: 0, answer: REMOVED_ACCOUNT }
    const fact = attemptedOf(attempt, state.clock.offset)
    return [isFirst ? surelyRefused(fact) : fact]
  }
  const isSoon = Date.now() + state.clock.offset < state.created / 1000 + START_WITHIN
  const start = { isSent: !isFirst, mayStart: isSoon && state.cancel === null }
  const attempts = await announceAtOne(
    env,
    [account],
    announcedOf(state, start),
    isFirst ? 'create' : 'again',
  )
  const facts = attempts.map((attempt) => attemptedOf(attempt, state.clock.offset))
  return isFirst ? facts.map(surelyRefused) : facts
}

/** If the account was not asked, or its key was refused, the terminal has got nothing: that is a refusal. */
function surelyRefused(fact: FactOf<'attempted'>): FactOf<'attempted'> {
  const { outcome } = fact
  const isKeyRefused = outcome.is === 'no-answer' && outcome.accountRefused
  if (outcome.is !== 'not-asked' && !isKeyRefused) return fact
  const why = isKeyRefused ? outcome.message : 'The payment service provider does not answer now.'
  return { ...fact, outcome: { is: 'refused', message: `terminal_unreachable: ${why}` } }
}

/**
 * Announces the order again, by the current routes. Leaves out accounts that want no request until
 * after `now` (ms), unless all of them do. Throws if no route has an account.
 */
export async function announceAgain(
  env: Env,
  state: State,
  { now, isFirst }: { now: number; isFirst: boolean },
): Promise<FactOf<'attempted'>[]> {
  const { pos, order } = state
  if (order.terminal) return sendToTerminal(env, state, order.terminal, isFirst)
  const profile = await readProfile(env, pos)
  const routed = profile ? takersOf(accountsFor(profile, order.paymentMethod), order) : []
  const known = routed.length > 0 ? routed : await lastAccount(env, state)
  const free = known.filter(({ id }) => heldAt(state, id) <= now)
  const [first, ...others] = free.length > 0 ? free : known
  if (!first) {
    logNoAccount(state, accountOf(state))
    throw new Error('no account can take the order')
  }
  const attempts = await announceAtOne(env, [first, ...others], announcedOf(state), 'again')
  return attempts.map((attempt) => attemptedOf(attempt, state.clock.offset))
}

async function lastAccount(env: Env, { attempts }: State): Promise<Account[]> {
  const last = attempts.at(-1)
  const account = last ? await findAccount(env, last.account) : null
  return account ? [account] : []
}

/**
 * Finds out whether an account holds a payment for the job, by announcing the order there again:
 * under the same idempotency key the PSP returns the payment that it has. If it makes a new payment
 * instead, the next duty stops that. `isHeld`: the PSP has signed that it holds one, at a terminal.
 */
export async function lookAt(
  env: Env,
  state: State,
  { account, isHeld }: { account: string; isHeld?: true },
): Promise<FactOf<'attempted'>> {
  const { way, requestAt } = announcedOf(state, { ...PERHAPS_SENT, ...(isHeld ? { isHeld } : {}) })
  const rail = railOf(await pspAt(env, state, account), way)
  const asked = Date.now()
  const answer = await withDeadline(DEADLINE, (deadline) => rail.announce(requestAt(account), deadline))
  return attemptedOf({ account, asked, ms: Date.now() - asked, answer }, state.clock.offset)
}

/**
 * Sends an instruction to its PSP. Does not throw: a fault of the hub counts as no answer. Null if the request would
 * repeat one whose key the PSP may have forgotten.
 */
export async function sendInstruction(
  env: Env,
  state: State,
  instruction: Instruction,
  repeatedAt?: number,
): Promise<InstructionResult | null> {
  const { account, reference, part, id, amount, description, round, kind, final } = instruction
  const about = { job: state.id, pos: state.pos, account, kind }
  try {
    const psp = await pspAt(env, state, account)
    if (repeatedAt !== undefined && repeatedAt >= instruction.askedAt + (psp.keyLife?.[kind] ?? 0))
      return null
    const other = part ?? findPayment(state, instruction)?.other ?? null
    const { currency } = state.order
    const answer = await psp[kind](
      { job: state.id, reference, payment: other },
      {
        id,
        amount,
        currency,
        description,
        round,
        ...(final ? { isFinal: true } : {}),
        ...(repeatedAt === undefined ? {} : { isRepeated: true }),
      },
    )
    if (answer.is !== 'unavailable') return answer
    const { message } = answer
    if (!answer.accountRefused) {
      log.warn('psp.instruction-unanswered', { ...about, message })
      return answer
    }
    // A PSP that refuses the account has done nothing, and no later answer would say that. Unless it
    // took an earlier request, whose answer was lost.
    if (repeatedAt !== undefined) return answer
    reportRefused(env, findPayment(state, instruction)?.way ?? 'page', { ...about, message })
    return { is: 'refused', message, accountRefused: true }
  } catch (error) {
    log.fault('psp.instruction-failed', error, about)
    return unavailable(`The ${kind} could not be asked for.`)
  }
}

async function pspAt(env: Env, state: State, account: string): Promise<Psp> {
  const psp = await openAccount(env, account, state.origin, state.pos)
  // The hub cannot open the account now. That is its own fault, not silence of the PSP.
  if (psp === SILENT_PSP) throw new Error(`the account ${account} cannot be used now`)
  if (!psp) logNoAccount(state, account)
  return psp ?? REMOVED_PSP
}

function logNoAccount({ id, pos }: State, account: string): void {
  log.error('psp.account-unknown', { job: id, pos, account })
}

function logSilence(env: Env, { id: job, pos }: State, { account, way }: Payment, answer: AskAnswer): void {
  if (answer.is === 'unknown') log.warn('psp.payment-unknown', { job, pos, account })
  if (answer.is === 'observed' && answer.unread !== undefined)
    log.warn('psp.unavailable', { job, pos, account, message: answer.unread })
  if (answer.is !== 'unavailable') return
  const fields = { job, pos, account, message: answer.message }
  if (answer.accountRefused) reportRefused(env, way, fields)
  // Also logs a status word that the adapter does not know: an operator has to see that.
  else log.warn('psp.unavailable', fields)
}
