import { reservesAt } from '../psp/adapters.ts'
import { findAccount } from '../psp/connect.ts'
import { unavailable } from '../psp/http-client.ts'
import { sendInstruction } from './account-calls.ts'
import type { Duty } from './core/duties.ts'
import { askName, instructionName } from './core/duty-names.ts'
import type { Fact } from './core/facts.ts'
import { type InstructionResult, askedOnce } from './core/instruct.ts'
import { findInstruction, isOverdue } from './core/instructions.ts'
import type { Instruction } from './core/payment.ts'
import type { State } from './core/state.ts'
import { type OwnJob, append, nowOf, stateOf, tell } from './own-job.ts'

/** Records instructions, then instructs the PSP. Waits until the hub has asked what captures and releases came to. */
export async function recordAndSend(job: OwnJob, facts: readonly Fact[]): Promise<State> {
  const state = append(job, facts)
  for (const fact of facts) if (fact.is === 'instructed') await orderOne(job, fact.id)
  return job.journal.read() ?? state
}

async function orderOne(job: OwnJob, id: string): Promise<void> {
  const done = findInstruction(await carryOut(job, id), id)
  if (done && done.kind !== 'refund') await job.roster.flights.running(askName(done))
}

/** Captures or releases money by the hub's own decision. */
export async function sendByHub(job: OwnJob, _: State, duty: Duty<'capture' | 'release'>): Promise<void> {
  const { account, reference } = duty.payment
  const id = crypto.randomUUID()
  tell(job, { do: 'instruct', kind: duty.do, account, reference, id })
  await carryOut(job, id)
}

/** The hub gives up an instruction without another question: neither the PSP nor the account may answer. */
const GIVEN_UP = unavailable('The time for an answer is over.')

/** Instructs the PSP again after a `not-yet` or without an answer, or gives the instruction up. */
export async function sendAgain(job: OwnJob, state: State, duty: Duty<'instruct'>): Promise<void> {
  const { instruction } = duty
  const { id } = instruction
  const now = nowOf(job)
  if (isOverdue(instruction, now)) tell(job, { do: 'record-instruction', id, asked: now, answer: GIVEN_UP })
  else if (instruction.state === 'waiting') await recordAndSend(job, askedOnce(state, instruction, now))
  else await recordAnswer(job, instruction, sendInstruction(job.env, state, instruction, now))
}

/** Instructs the PSP, once the journal has the instruction. */
async function carryOut(job: OwnJob, id: string): Promise<State> {
  const state = stateOf(job)
  const wanted = findInstruction(state, id)
  if (wanted) await recordAnswer(job, wanted, sendInstruction(job.env, state, wanted))
  return stateOf(job)
}

async function recordAnswer(job: OwnJob, known: Instruction, sent: Promise<InstructionResult | null>) {
  const asked = nowOf(job)
  const answer = await sent
  if (answer) tell(job, { do: 'record-instruction', id: known.id, asked, answer })
  job.roster.asked.set(instructionName(known), asked)
}

/** Returns the accounts of the job whose PSP captures a payment only once. */
export async function capturedOnce({ env, journal }: OwnJob): Promise<string[]> {
  const accounts = new Set(journal.read()?.payments.map(({ account }) => account))
  const found = await Promise.all([...accounts].map((id) => findAccount(env, id)))
  return found.flatMap((one) => (one && reservesAt(one.psp)?.captures === 'once' ? [one.id] : []))
}
