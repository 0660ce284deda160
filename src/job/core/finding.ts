import { type Cause, type TodoName, CAUSES } from '../../contract/causes.ts'
import { isUnconfirmed } from './instructions.ts'
import type { Instruction, Payment } from './payment.ts'
import { accountOf } from './row.ts'
import { type State, findPayment } from './state.ts'

/** Something that a person can do about a cause, and where. */
export type Todo = { do: TodoName; account?: string; reference?: string }

/** A cause that applies to a job, and what can be done about it. `instruction`: the one that it is about. */
export type Finding = { cause: Cause; todo: Todo[]; instruction: Instruction | undefined }

/**
 * A cause that a condition found. `payment`: the one that it is about, if that is not the instruction's or the
 * first. `todo`: what to do instead of what the cause's row says.
 */
export type Found = {
  cause: Cause
  instruction?: Instruction | undefined
  payment?: Payment
  todo?: readonly TodoName[] | undefined
}

/** Makes a finding: adds where to do what its row says, and leaves out what does not apply. */
export function findingOf(state: State, now: number, found: Found): Finding {
  const { cause, instruction, todo = CAUSES[cause].todo } = found
  const payment = found.payment ?? (instruction ? findPayment(state, instruction) : state.payments[0])
  const account = payment?.account ?? accountOf(state)
  // A person should look at the PSP that does not say what became of an instruction.
  const look: TodoName[] = instruction && isUnconfirmed(instruction, now) ? ['look-at-psp'] : []
  const all = [...new Set([...look, ...todo])].map((name) => todoAt(name, account, payment, state))
  return { cause, todo: all.filter((one) => one !== null), instruction }
}

const AT_ACCOUNT = new Set<TodoName>([
  'check-account',
  'renew-credentials',
  'route-elsewhere',
  'check-terminal',
])

/** Returns null if a person cannot do that now. */
function todoAt(name: TodoName, account: string, payment: Payment | undefined, state: State): Todo | null {
  if (name === 'look-at-psp')
    return payment ? { do: name, account, reference: payment.other ?? payment.reference } : null
  if (name === 'let-pay' && payment?.over) return null
  if (name === 'take-nothing' && !state.order.terminal) return null
  return AT_ACCOUNT.has(name) ? { do: name, account } : { do: name }
}
