import type { Transfer } from '../../psp/answer.ts'
import { foreignOf } from './others.ts'
import { type Instruction, type Payment, about } from './payment.ts'
import type { State } from './state.ts'
import { type Known, TOTAL, TRANSFER_KINDS, type TransferKind, isOf, listsOf } from './transfers.ts'

/**
 * A capture, a release, a refund or a dispute of a payment, whoever began it. `id`: the PSP's; `total` for what it
 * shows only as a total. `own`: the hub's, if a shop, an operator or the hub asked for it, at `asked` (ms).
 * `changed`: when (ms) the hub learnt of its state; null if it does not know.
 */
export type MoneyTransfer = {
  kind: TransferKind
  account: string
  id: string | null
  own: string | null
  amount: number
  state: 'asked' | Transfer['state']
  asked: number | null
  changed: number | null
  why: string | null
}

/** Returns every transfer of a job: those that somebody asked the hub for, then those that only its PSPs show. */
export function transfersOf(state: State): MoneyTransfer[] {
  return state.payments.flatMap((payment) => TRANSFER_KINDS.flatMap((kind) => ofKind(state, payment, kind)))
}

function ofKind(state: State, payment: Payment, kind: TransferKind): MoneyTransfer[] {
  const own = about(state.instructions, payment).filter((one) => one.kind === kind)
  const listed = listsOf(payment)[kind]
  if (!listed) return own.map((one) => asked(one, undefined)).concat(inTotal(kind, payment))
  const others = listed.filter((shown) => !own.some((one) => isOf(one, shown)))
  const made = own.map((one) =>
    asked(
      one,
      listed.find((shown) => isOf(one, shown)),
    ),
  )
  return made.concat(others.map((shown) => byOthers(kind, payment, shown)))
}

function asked(one: Instruction, shown: Known | undefined): MoneyTransfer {
  const { kind, account, id: own, amount, state, pspId, at, answeredAt, error } = one
  const isAsked = state === 'asking' || state === 'waiting'
  return {
    kind,
    account,
    id: pspId,
    own,
    amount,
    state: isAsked ? 'asked' : state === 'failed' && shown ? shown.state : state,
    asked: at,
    changed: answeredAt || null,
    why: error,
  }
}

function byOthers(kind: TransferKind, { account }: Payment, shown: Known): MoneyTransfer {
  const { id, own = null, amount, state, at, why = null } = shown
  return { kind, account, id, own, amount, state, asked: null, changed: at || null, why }
}

/** What a PSP shows only as a total, as far as the hub did not ask for it. */
function inTotal(kind: TransferKind, payment: Payment): MoneyTransfer[] {
  const amount = foreignOf(payment, kind)
  return amount > 0 ? [byOthers(kind, payment, { id: TOTAL, amount, state: 'done', at: 0 })] : []
}
