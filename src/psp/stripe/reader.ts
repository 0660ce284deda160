import * as v from 'valibot'
import { type Call, unavailable } from '../http-client.ts'
import type { ListedTerminal } from '../port.ts'
import { listIn } from '../reading.ts'
import { urlPart } from '../values.ts'
import { ExpandableId } from './intent.ts'
import { AT_STRIPE, pageIn } from './session.ts'
import { type Unavailable, wordIn } from '../answer.ts'

const READERS = '/v1/terminal/readers'

export function readerPath(reader: string): string {
  return `${READERS}/${urlPart(reader)}`
}

export const Text = v.fallback(v.nullish(v.string()), null)

/** https://docs.stripe.com/api/errors: the members that say why a card was declined. */
export const CardError = v.object({ code: Text, decline_code: Text, message: Text })

/** What a reader does or did last: https://docs.stripe.com/api/terminal/readers/object */
const Action = v.looseObject({
  type: v.string(),
  status: v.string(),
  failure_code: Text,
  failure_message: Text,
  api_error: v.fallback(v.nullish(CardError), null),
})
export type Action = v.InferOutput<typeof Action>
const WithAction = v.object({ action: v.nullish(Action) })

const OfIntent = v.object({ payment_intent: ExpandableId })

/** Returns the payment intent that an action of a reader is about; null for none. */
export function intentOfAction(action: Action | null): string | null {
  const shown = v.safeParse(OfIntent, action?.[action.type])
  return shown.success ? shown.output.payment_intent : null
}

/** Returns the payment intent that a reader processes or processed last; null for none. */
export function intentAtReader(reader: unknown): string | null {
  const shown = v.safeParse(WithAction, reader)
  return shown.success ? intentOfAction(shown.output.action ?? null) : null
}

/** The hub's metadata of a payment intent, which its charge has too. */
export const TerminalMetadata = v.object({ payment_job: v.string(), terminal: v.string() })

export type AtReader = { is: 'seen'; action: Action | null } | Unavailable

/** Returns what a reader does. One that was deleted does nothing. */
export async function actionOf(call: Call, reader: string, deadline: AbortSignal): Promise<AtReader> {
  const answer = await call('GET', readerPath(reader), { deadline })
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404) return { is: 'seen', action: null }
  const shown = v.safeParse(WithAction, answer.body)
  return answer.status === 200 && shown.success
    ? { is: 'seen', action: shown.output.action ?? null }
    : unavailable(`Stripe answered ${answer.status} without the reader.`)
}

const ListedReader = v.object({
  id: v.string(),
  device_type: v.string(),
  label: Text,
  serial_number: Text,
  status: Text,
})

/** Readers that only an app of the shop can drive. */
const OF_AN_APP: ReadonlySet<string> = new Set([
  'bbpos_chipper2x',
  'bbpos_wisepad3',
  'mobile_phone_reader',
  'stripe_m2',
  'verifone_P400',
])

const IS_ON: Readonly<Record<string, boolean>> = { online: true, offline: false }

/** https://docs.stripe.com/api/terminal/readers/list */
export async function listReaders(call: Call, deadline: AbortSignal) {
  const path = `${READERS}?limit=100`
  const pages = { pageIn: (body: unknown) => pageIn(path, body), what: 'readers', deadline }
  const list = await listIn(AT_STRIPE, call, path, pages)
  return list.is === 'unavailable' ? list : { is: 'listed' as const, terminals: list.items.flatMap(listed) }
}

function listed(one: unknown): ListedTerminal[] {
  const read = v.safeParse(ListedReader, one)
  if (!read.success || OF_AN_APP.has(read.output.device_type)) return []
  const { id, label, serial_number, status } = read.output
  return [{ id, name: label || serial_number || id, isOn: wordIn(IS_ON, status) ?? null }]
}
