import type { Duty } from './duties.ts'
import type { Instruction, Where } from './payment.ts'

/** Names a duty. Two duties of one name are never under way at once. */
export function nameOf(duty: Duty): string {
  switch (duty.do) {
    case 'ask':
    case 'stop':
      return duty.payment ? askName(duty.payment) : 'expire'
    case 'capture':
    case 'release':
      return wishName(duty.payment)
    case 'check-capture':
    case 'check-release':
    case 'check-refund':
      return instructionName(duty.instruction)
    case 'look':
      return lookName(duty.account)
    case 'report':
      return reportName(duty.revision)
    case 'row':
    case 'announce':
    case 'move-clock':
    case 'erase':
    case 'purge':
      return duty.do
  }
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
