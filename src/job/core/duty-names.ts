import type { Duty } from './duties.ts'
import type { Instruction, Where } from './payment.ts'

/** Names a duty. Two duties of one name are never under way at once. */
export function nameOf(duty: Duty): string {
  if ('instruction' in duty) return instructionName(duty.instruction)
  if ('account' in duty) return lookName(duty.account)
  if ('revision' in duty) return reportName(duty.revision)
  if (!('payment' in duty)) return duty.do
  if (duty.do === 'capture' || duty.do === 'release') return wishName(duty.payment)
  return askName(duty.payment)
}

/** Two accounts at one PSP may give their payments the same reference: MultiSafepay uses the job's id. */
export function askName({ account, reference }: Where): string {
  return `ask ${account} ${reference}`
}

/** The hub wants one thing at a time of reserved money: a capture or a release. */
export function wishName({ account, reference }: Where): string {
  return `wish ${account} ${reference}`
}

export function instructionName({ id }: Pick<Instruction, 'id'>): string {
  return `instruction ${id}`
}

export function lookName(account: string): string {
  return `look ${account}`
}

export function reportName(revision: number): string {
  return `report ${revision}`
}
