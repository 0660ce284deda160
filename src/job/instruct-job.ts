import { type Result, ok, refuse } from '../contract/result.ts'
import { type SentAmount, readSentAmount } from '../contract/values.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { type Refusal, invalidField } from '../platform/http/refusal.ts'
import { requestInstruction } from './call-job.ts'
import { descriptionOf } from './core/instructions.ts'
import type { Instruction } from './core/payment.ts'
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

/** Instructs the PSP of a job as a body asks. The same id again is the same instruction. Null for no job. */
export async function requestAsSent(
  env: Env,
  job: State,
  kind: Kind,
  id: string,
  sent: SentInstruction,
): Promise<Result<{ job: State; done: Instruction | null }, Refusal> | null> {
  const wanted = parseInstruction(kind, sent, job)
  if (!wanted.ok) return wanted
  const fingerprint = await sha256(JSON.stringify(wanted.value))
  const call = crypto.randomUUID()
  const instructed = await requestInstruction(env, job.id, { ...wanted.value, kind, id, fingerprint, call })
  if (instructed === null || instructed.ok) return instructed
  return refuse(instructionRefused(instructed.error, job))
}
