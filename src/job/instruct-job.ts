import { type Result, ok, refuse } from '../contract/result.ts'
import { type SentAmount, readSentAmount } from '../contract/sent-values.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { type Refusal, invalidField } from '../platform/http/refusal.ts'
import { requestInstruction } from './call-job.ts'
import { descriptionOf } from './core/instructions.ts'
import { mostOf } from './core/money.ts'
import type { Instruction } from './core/payment.ts'
import { representCapture, representWholeRefund } from './core/show.ts'
import type { State } from './core/state.ts'
import { instructionRefused } from './refusals.ts'

type Kind = Instruction['kind']
type SentInstruction = { amount?: SentAmount; description?: string; final?: boolean }

/** Reads a body: its amount (minor units; null for all that is left) and description. */
export function parseInstruction(
  kind: Kind,
  { amount, description: given, final }: SentInstruction,
  job: State,
): Result<{ amount: number | null; description: string; final?: true }, Refusal> {
  const wanted = { description: given || descriptionOf(job, kind), ...(final ? { final } : {}) }
  if (amount === undefined) return ok({ amount: null, ...wanted })
  const minor = readSentAmount(amount, job.order.currency)
  return minor.ok ? ok({ amount: minor.value, ...wanted }) : invalidField('amount', minor.error)
}

/** Shows a refund. One of all that is left of a payment says what another payment has left. */
export function shownRefund(job: State, done: Instruction | null, isWhole: boolean) {
  return done && representWholeRefund(job, done, isWhole ? mostOf(job, 'refund') : 0)
}

export function shownCapture(job: State, done: Instruction | null) {
  return done && representCapture(job, done)
}

/**
 * Instructs the PSP of a job as a body asks, and shows what became of it. The same id again is the same
 * instruction. Null for no job.
 */
export async function instruct<Shown>(
  env: Env,
  before: State,
  { kind, id, sent }: { kind: Kind; id: string; sent: SentInstruction },
  show: (job: State, done: Instruction | null, isWhole: boolean) => Shown | null,
): Promise<Result<{ job: State; done: Instruction | null; shown: Shown }, Refusal> | null> {
  const wanted = parseInstruction(kind, sent, before)
  if (!wanted.ok) return wanted
  const fingerprint = await sha256(JSON.stringify(wanted.value))
  const call = crypto.randomUUID()
  const request = { ...wanted.value, kind, id, fingerprint, call }
  const instructed = await requestInstruction(env, before.id, request)
  if (instructed === null) return null
  if (!instructed.ok) return refuse(instructionRefused(instructed.error, before))
  const { job, done } = instructed.value
  const shown = show(job, done, sent.amount === undefined)
  return shown === null ? null : ok({ job, done, shown })
}
