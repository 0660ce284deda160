import { MINUTE } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { reservesAt } from '../psp/adapters.ts'
import { findAccount } from '../psp/connect.ts'
import { moveSandboxPayment, sandboxPaymentOf } from '../psp/sandbox/adapter.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { announceAgain, checkInstruction, instruct, lookAt } from './ask-account.ts'
import { asking } from './asking.ts'
import { type Command, decide, writerOf } from './core/decide.ts'
import type { Duty } from './core/duties.ts'
import type { Fact } from './core/facts.ts'
import { askedAgain } from './core/instruct.ts'
import { findInstruction } from './core/instructions.ts'
import type { Instruction } from './core/payment.ts'
import { rowDigest, rowOf } from './core/row.ts'
import type { State } from './core/state.ts'
import { type OwnJob, askName, dutyRoster, instructionName, reportName } from './duty-roster.ts'
import { type Besides, journalOf } from './journal-store.ts'
import { sendPurged, sendReport, sendRow } from './messages.ts'
import { purgeStorage } from './tombstone.ts'
import { jobWatchers } from './watchers.ts'

/** How long (ms) a report may be with the queue and the receiver before it counts as lost. */
const REPORT_LEASE = MINUTE / 2
/** How long (ms) a try at a report may take: the receiver has 15 s. */
const LONGEST_TRY = MINUTE / 3

/**
 * Runs the job of an object. Everything goes the same way: decide, append, perform. All but the
 * journal is memory and may be lost; the object then does a duty again, which is safe.
 */
export function ownJob(ctx: DurableObjectState, env: Env) {
  const watchers = jobWatchers(ctx, () => journal.read())
  const journal = journalOf(ctx, (before, after) => watchers.tell(before, after))
  const own: OwnJob = { read: journal.read, now, tell, isRowSure: isSure }
  const roster = dutyRoster(ctx, env, own, perform)
  const asks = asking(env, own, roster)
  /** The newest row that the index queue has taken. The journal may not say so yet. */
  let rowSent: { entry: number; digest: string } | null = null
  /**
   * The entry of the row that the journal says is written, while the index may have a later one;
   * Infinity while it has none.
   */
  let unsureSince: number | undefined
  /** Set from the job's birth until the hub announces it: nothing can have reached a PSP before. */
  let isNew = false
  /** Until when (ms) a try at a report may be under way. */
  let tryUntil = 0

  function now(): number {
    return Date.now() + (journal.read()?.clock.offset ?? 0)
  }

  function isSure(state: State): boolean {
    unsureSince ??= journal.beganSure() ? Infinity : state.index.written
    return unsureSince === Infinity || state.index.written > unsureSince
  }

  function tell(command: Command): State {
    const state = journal.read()
    if (!state) throw new Error('there is no job')
    if (command.do === 'record-report') {
      // This try has ended, so the next may begin, of the same revision or of a newer one.
      tryUntil = 0
      roster.release(reportName(command.tried.revision), reportName(state.revision))
    }
    const facts = decide(state, command, now())
    const by = writerOf(command)
    return facts.length === 0 ? state : append(facts, by ? { by } : {})
  }

  /** Returns the job to report now; null for a report that is not due, or during another try. */
  function toReport(revision: number): State | null {
    const state = journal.read()
    const isDue = state?.report?.state === 'due' && state.report.revision === revision
    if (!isDue || now() < tryUntil) return null
    tryUntil = now() + LONGEST_TRY
    return state
  }

  /** Appends facts. If the index queue has taken a row meanwhile, the same entry says so. */
  function append(facts: readonly Fact[], besides: Besides = {}): State {
    const before = journal.read()
    const rows = before && rowSent ? decide(before, { do: 'record-row', ...rowSent }, now()) : []
    const all = [...facts, ...rows]
    if (before && all.length === 0) return before
    const state = journal.append(all, now(), besides)
    isNew = before === null
    // The row of this entry waits for no earlier one.
    roster.release('row')
    roster.follow()
    return state
  }

  /** Returns whether this is the first announcement of an order. If memory was lost, it is not. */
  function wasBorn(): boolean {
    const was = isNew && journal.read()?.attempts.length === 0
    isNew = false
    return was
  }

  /** Records the notifications that were set aside while the journal could not be read. */
  function takeAside(): void {
    for (const fact of journal.takeAside())
      if (fact.is === 'notified') tell({ do: 'record-notification', notified: fact })
  }

  /** Does one duty. Throws for a fault of the hub; the duty then stays. */
  async function perform(duty: Duty): Promise<number | void> {
    const state = journal.read()
    if (!state) return
    switch (duty.do) {
      case 'announce':
        tell({
          do: 'record-attempts',
          attempts: await announceAgain(env, state, {
            now: duty.isWanted ? Infinity : now(),
            isFirst: wasBorn(),
          }),
        })
        return
      case 'ask':
      case 'stop':
        if (duty.payment) await asks.askInTime(duty.payment)
        else tell({ do: 'expire' })
        return
      case 'capture':
      case 'release': {
        const { account, reference } = duty.payment
        const id = crypto.randomUUID()
        tell({ do: 'instruct', kind: duty.do, account, reference, id })
        await carryOut(id)
        return
      }
      case 'check-capture':
      case 'check-release':
      case 'check-refund': {
        const { instruction } = duty
        if (instruction.state === 'waiting') await order([askedAgain(instruction)], instruction.id)
        else await recordAnswer(instruction, checkInstruction(env, state, instruction, now()))
        return
      }
      case 'look':
        tell({ do: 'record-attempts', attempts: [await lookAt(env, state, duty)] })
        return
      case 'report':
        await sendReport(env, state, duty.revision)
        return now() + REPORT_LEASE
      case 'row':
        return tellIndex(state)
      case 'move-clock':
        return moveClock(state)
      case 'erase':
        return journal.erase()
      case 'purge':
        return purge(state)
    }
  }

  /** Records an instruction, then instructs the PSP. Waits for what a capture or a release comes to. */
  async function order(facts: readonly Fact[], id: string): Promise<State> {
    append(facts)
    const state = await carryOut(id)
    const done = findInstruction(state, id)
    if (done && done.kind !== 'refund') await roster.running(askName(done))
    return journal.read() ?? state
  }

  /** Instructs the PSP, once the journal has the instruction. */
  async function carryOut(id: string): Promise<State> {
    const state = journal.read()
    if (!state) throw new Error('there is no job')
    const wanted = findInstruction(state, id)
    return wanted ? recordAnswer(wanted, instruct(env, state, wanted)) : state
  }

  async function recordAnswer(known: Instruction, answer: ReturnType<typeof instruct>): Promise<State> {
    const asked = now()
    const state = tell({ do: 'record-instruction', id: known.id, asked, answer: await answer })
    roster.asked(instructionName(known), asked)
    return state
  }

  /**
   * Sends the row to the index queue, and records that. While a report is on its way, the entry of
   * that try records the row too, which saves a write.
   */
  async function tellIndex(state: State): Promise<number | void> {
    const digest = rowDigest(state)
    if (rowSent?.digest !== digest) {
      unsureSince = state.index.written
      await sendRow(env, state)
      rowSent = { entry: state.entry.number, digest }
      if (roster.isUnderWay(reportName(state.revision))) return now() + REPORT_LEASE
    }
    append([])
  }

  /** Moves a test job's clock to its next duty, or to the next change of its sandbox payment. */
  async function moveClock({ id, clock, payments: [payment] }: State): Promise<void> {
    // The sandbox may have a payment of which the hub does not know yet.
    const { account, reference } = payment ?? {
      account: SANDBOX_ACCOUNT.id,
      reference: await sandboxPaymentOf(env, id),
    }
    const isSandbox = account === SANDBOX_ACCOUNT.id
    const change = isSandbox ? await moveSandboxPayment(env, reference, clock) : Infinity
    const moved = tell({ do: 'move-clock', next: Math.min(change, ...roster.times()) })
    // The sandbox then answers by the time that the job has reached.
    if (isSandbox) await moveSandboxPayment(env, reference, moved.clock)
  }

  /** Deletes the job once the index queue has the message, unless the job has changed meanwhile. */
  async function purge(state: State): Promise<void> {
    if (!asks.isIdle()) return
    await sendPurged(env, rowOf(state))
    if (journal.read()?.entry.number !== state.entry.number || !asks.isIdle()) return
    journal.forget()
    watchers.end()
    roster.alarmIs(null)
    rowSent = null
    unsureSince = undefined
    await purgeStorage(ctx.storage, state, Date.now())
    log.info('job.purged', { job: state.id, pos: state.pos })
  }

  return {
    ...own,
    append,
    toReport,
    entries: journal.entries,
    personal: journal.personal,
    erase: journal.erase,
    setAside: journal.setAside,
    takeAside,
    forget: journal.forget,
    roster,
    asks,
    watchers,
    order,
    /** Returns the accounts of the job whose PSP captures a payment only once. */
    async capturedOnce(): Promise<string[]> {
      const accounts = new Set(journal.read()?.payments.map(({ account }) => account))
      const found = await Promise.all([...accounts].map((id) => findAccount(env, id)))
      return found.flatMap((one) => (one && reservesAt(one.psp)?.captures === 'once' ? [one.id] : []))
    },
  }
}
