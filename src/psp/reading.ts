import {
  type AnnounceAnswer,
  type Observation,
  type AskAnswer,
  type Meaning,
  type PatienceTable,
  type InstructionAnswer,
  type InstructionKind,
  type RefusedOrder,
  type Transfer,
  type Transfers,
  type Unavailable,
  standingOf,
  unknownWord,
  wordIn,
} from './answer.ts'
import type { Card } from '../contract/terminals.ts'
import { type HttpAnswer, type Call, type CallResult, unavailable } from './http-client.ts'
import type { CheckResult, PaymentRequest } from './port.ts'

/** The members that a PSP may not show. `authorized` is missing for a payment that captures by itself. */
const OPTIONAL = [
  'refunded',
  'chargedBack',
  'authorized',
  'released',
  'authorizedAt',
  'captureBefore',
  'inParts',
  'progress',
  'tip',
  'card',
  'other',
  'reason',
] as const satisfies (keyof Observation)[]
type Optional = (typeof OPTIONAL)[number]

/**
 * A payment in a PSP's answer. `amount` is the whole amount, `paid` what counts as paid, in minor units
 * of the job's currency; null in another currency, or if unreadable. An unreadable total of money that
 * went back changes nothing. `method`: the customer's choice, null if unknown.
 */
export type ShownPayment = {
  reference: string
  checkoutUrl: string | null | undefined
  expiresAt: number | null
  meaning: Meaning
  method: string | null
  amount: number | null
  paid: number | null
  approved?: true
  /** Of each kind its list, unless that cannot be read wholly. */
  transfers?: Lists
} & { [Name in Optional]?: Observation[Name] | null | undefined }

type Lists = { [Kind in keyof Transfers]?: Transfer[] | undefined }

/** A refund or a capture in a PSP's answer. `why`: the reason of a failure, in brackets. */
export type ShownInstruction = { id: string | null; status: string; why?: string }

/**
 * An item of a PSP's list of refunds or captures. `own`: the hub's id, as the item's metadata or reference has it.
 * `amount` is in minor units; null in another currency, or if unreadable.
 */
export type ShownTransfer = {
  id: string
  own?: string | null | undefined
  amount: number | null
  status: string
  why?: string
}

/**
 * Returns each transfer of a PSP's list once: of several with the same id the last. Undefined if one of its items
 * cannot be read (null): the hub would take an instruction for lost that the list has.
 */
export function wholeList(items: readonly (Transfer | null)[]): Transfer[] | undefined {
  const each = [...new Map(items.map((one) => [one?.id, one])).values()]
  return each.every((one) => one !== null) ? each : undefined
}

/** Returns the transfers in a PSP's list. An unknown word settles nothing, so such a transfer is pending. */
export function transfersIn(
  { psp, instructions }: PspReading,
  kind: InstructionKind,
  items: readonly (ShownTransfer | null)[] | undefined,
): Transfer[] | undefined {
  const read = items?.map((item): Transfer | null => {
    if (item === null || item.amount === null) return null
    const { id, own, amount, status, why = '' } = item
    const state = wordIn(instructions[kind]?.states ?? {}, status) ?? 'pending'
    const reason = state === 'failed' ? { why: `${psp} says that the ${kind} is ${status}${why}.` } : {}
    return { id, ...(own ? { own } : {}), amount, state, ...reason }
  })
  return read && wholeList(read)
}

/** Returns the lists that a PSP shows, by kind; no member if it shows none. */
export function listsIn(lists: Lists): Pick<Observation, 'transfers'> {
  const shown = Object.entries(lists).flatMap(([kind, list]) => (list ? [[kind, list] as const] : []))
  return shown.length === 0 ? {} : { transfers: Object.fromEntries(shown) }
}

/** How to read one kind of instruction in a PSP's answers. `read` returns null if there is none. */
type InstructionReading = {
  states: Readonly<Record<string, 'pending' | 'done' | 'failed'>>
  read: (body: unknown) => ShownInstruction | null
}

type Refusable = 'payment' | 'account' | InstructionKind

/** What an answer says by its status, unless a PSP's own words decide. */
export const BY_STATUS = {
  isFailure: ({ status }: HttpAnswer): boolean => status >= 400,
  isUnknown: ({ status }: HttpAnswer): boolean => status === 404 || status === 410,
  isKeyRefused: ({ status }: HttpAnswer): boolean => status === 401 || status === 403,
}

/** How to read a PSP's answers. `read` returns null for a body without a payment. */
export type PspReading = {
  psp: string
  patience: PatienceTable
  read: (body: unknown, currency: string) => ShownPayment | Unavailable | null
  instructions: Readonly<Partial<Record<InstructionKind, InstructionReading>>>
  refuse: (body: unknown, what: Refusable) => RefusedOrder | Unavailable
} & typeof BY_STATUS

/**
 * Reads a refusal. A refused key concerns the account and not the order: another account of the route
 * may take the order, or the order waits.
 */
export function refusedBy(at: PspReading, answer: HttpAnswer, what: Refusable): RefusedOrder | Unavailable {
  const refused = at.refuse(answer.body, what)
  return refused.is === 'refused' && at.isKeyRefused(answer)
    ? { is: 'unavailable', message: refused.message, accountRefused: true }
    : refused
}

/** Reads an answer without what the hub asked for. If the key was refused, that concerns the account. */
export function answeredWithout(
  { psp, isKeyRefused }: Pick<PspReading, 'psp' | 'isKeyRefused'>,
  answer: HttpAnswer,
  what: string,
): Unavailable {
  const without = unavailable(`${psp} answered ${answer.status} without ${what}.`)
  return isKeyRefused(answer) ? { ...without, accountRefused: true } : without
}

export function announcedIn(at: PspReading, answer: CallResult, payment: PaymentRequest): AnnounceAnswer {
  const { amount, currency, terminal } = payment
  if (answer.is === 'unavailable') return answer
  if (at.isFailure(answer)) return refusedBy(at, answer, 'payment')
  const shown = at.read(answer.body, currency)
  if (shown && 'is' in shown) return shown
  if (!shown) return unavailable(`${at.psp} answered without a payment.`)
  const { reference, checkoutUrl, expiresAt } = shown
  // The customer may have given a tip already.
  const isSame = terminal ? (shown.amount ?? 0) >= amount : shown.amount === amount
  if (!isSame) return unavailable(`${at.psp} answered with a payment of another amount or currency.`)
  if (terminal) return { is: 'announced', reference, way: 'terminal', terminal: terminal.id, expiresAt }
  if (!checkoutUrl) return unavailable(`${at.psp} answered without a page to pay at.`)
  return { is: 'announced', reference, way: 'page', checkoutUrl, expiresAt }
}

export function seenIn(at: PspReading, answer: CallResult, currency: string): AskAnswer {
  if (answer.is === 'unavailable') return answer
  if (at.isUnknown(answer)) return { is: 'unknown' }
  const shown = at.read(answer.body, currency)
  if (!shown) return answeredWithout(at, answer, 'the payment')
  if ('is' in shown) return shown
  const { meaning, method, amount, paid, expiresAt, approved } = shown
  if (amount === null || paid === null)
    return unavailable(`${at.psp} answered with an amount that cannot be read.`)
  return {
    is: 'observed',
    ...standingOf(meaning, at.patience, method),
    paid,
    expiresAt,
    ...(approved ? { approved } : {}),
    ...optionalMembersOf(shown),
  }
}

/** Returns what the PSP also shows and the hub could read. */
function optionalMembersOf({
  transfers = {},
  ...shown
}: ShownPayment): Pick<Observation, Optional | 'transfers'> {
  const members = OPTIONAL.flatMap((name) => {
    const value = shown[name] ?? null
    return value === null ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(members),
    ...listsIn(transfers),
  }
}

/** Returns what a receipt shows of a card; of the number only the last four digits. */
export function shownCard({
  brand,
  lastFour: number,
  entryMode,
  authorisationCode,
}: { [Name in keyof Card]: string | null | undefined }): Pick<Observation, 'card'> {
  const lastFour = /\d{4}$/.exec(number ?? '')?.[0]
  const card = {
    ...(brand ? { brand } : {}),
    ...(lastFour ? { lastFour } : {}),
    ...(entryMode ? { entryMode } : {}),
    ...(authorisationCode ? { authorisationCode } : {}),
  }
  return Object.keys(card).length === 0 ? {} : { card }
}

/** Changes EXPIRED to CANCELLED, because the hub itself ended the payment. */
export function stoppedByHub(seen: AskAnswer): AskAnswer {
  return seen.is === 'observed' && seen.status === 'EXPIRED' ? { ...seen, status: 'CANCELLED' } : seen
}

/** Reads the answer to a call that only checks whether an account's credentials work. */
export function checkedIn(at: PspReading, answer: CallResult): CheckResult {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : at.refuse(answer.body, 'account')
}

export function stateOf(
  { psp, instructions }: PspReading,
  kind: InstructionKind,
  { id, status, why = '' }: ShownInstruction,
): InstructionAnswer {
  const state = wordIn(instructions[kind]?.states ?? {}, status)
  if (state === undefined) return unknownWord(psp, kind, status)
  return state === 'failed'
    ? { is: 'failed', message: `${psp} says that the ${kind} is ${status}${why}.` }
    : { is: 'taken', reference: id, state }
}

function stateIn(at: PspReading, kind: InstructionKind, body: unknown): InstructionAnswer {
  const shown = at.instructions[kind]?.read(body)
  return shown ? stateOf(at, kind, shown) : unavailable(`${at.psp} answered without the ${kind}.`)
}

/** Reads the answer to an instruction. After a failure the PSP has done nothing. */
export function instructedIn(at: PspReading, kind: InstructionKind, answer: CallResult): InstructionAnswer {
  if (answer.is === 'unavailable') return answer
  return at.isFailure(answer) ? refusedBy(at, answer, kind) : stateIn(at, kind, answer.body)
}

/** The most pages of a list that the hub reads. */
const PAGES = 5

/** A page of a list. `next`: the path of the next page; null after the last, undefined if unknown. */
export type ListPage = { items: readonly unknown[]; next: string | null | undefined }

/**
 * Reads a list page by page, until its end or until `isEnough` is true for an item. A list with more
 * pages than the hub reads is `unavailable`.
 */
export async function listIn(
  at: PspReading,
  call: Call,
  path: string,
  { pageIn, what, deadline, isEnough = () => false }: ListOptions,
): Promise<{ is: 'listed'; items: readonly unknown[] } | Unavailable> {
  const items: unknown[] = []
  let next: string | undefined = path
  for (let page = 0; page < PAGES && next !== undefined; page++) {
    const answer = await call('GET', next, { deadline })
    if (answer.is === 'unavailable') return answer
    const list = answer.status === 200 ? pageIn(answer.body) : null
    if (!list) return answeredWithout(at, answer, what)
    items.push(...list.items)
    if (list.next === null || list.items.some(isEnough)) return { is: 'listed', items }
    next = list.next
  }
  return unavailable(`${at.psp} has more ${what} than the hub reads.`)
}

type ListOptions = {
  pageIn: (body: unknown) => ListPage | null
  what: string
  deadline: AbortSignal
  isEnough?: (item: unknown) => boolean
}
