import { type Held, failed, orderJson, succeeded } from './multisafepay-order.ts'

/** A terminal of a group, with the group's API key. */
export type MultisafepayTerminal = {
  id: string
  provider: string
  name: string
  active: boolean
  key: string
}

/** openapi/components/examples/responses/listTerminals.json, without the codes of activation. */
function terminalJson({ id, provider, name, active }: MultisafepayTerminal) {
  return {
    id,
    provider,
    name,
    created: '2025-05-14T09:16:56Z',
    last_updated: '2025-05-14T09:17:41Z',
    manufacturer_id: null,
    serial_number: null,
    active,
    group_id: 57_958,
    country: null,
  }
}

/** openapi/paths/terminals.yaml */
export function listTerminals(terminals: readonly MultisafepayTerminal[], { searchParams }: URL): Response {
  const page = Number(searchParams.get('page') ?? 1)
  const limit = Number(searchParams.get('limit') ?? 50)
  const shown = terminals.slice((page - 1) * limit, page * limit).map(terminalJson)
  return Response.json({ success: true, data: shown, pager: { total_items: terminals.length, page, limit } })
}

function isAtWork({ status }: Held): boolean {
  return status === 'initialized' || status === 'declined'
}

function terminalOf({ order }: Held): string | undefined {
  return order.gateway_info?.terminal_id
}

/**
 * Why a terminal refuses a new order; null if it accepts it. "You cannot initiate another payment until the
 * current payment is Cancelled or Completed": content/point-of-sale/event-notifications.md
 */
export function terminalRefusal(
  terminals: readonly MultisafepayTerminal[],
  orders: readonly Held[],
  held: Held,
): Response | null {
  const id = terminalOf(held)
  if (id === undefined) return null
  const terminal = terminals.find((one) => one.id === id && one.key === held.key)
  if (!terminal?.active) return failed(400, 1016, 'Missing or invalid data: terminal_id')
  const isBusy = orders.some((one) => one !== held && terminalOf(one) === id && isAtWork(one))
  return isBusy ? failed(400, 1000, 'You cannot initiate another payment on this terminal') : null
}

/** "Expired after 60 seconds of inactivity" */
const ACTIVE = 60_000

/** Cancels a terminal's order after a minute of inactivity. */
export function passTimeAtTerminal(held: Held): void {
  if (held.atTerminal && isAtWork(held) && Date.now() >= held.atTerminal.touched + ACTIVE) cancelled(held)
}

function cancelled(held: Held): void {
  Object.assign(held, { status: 'cancelled', financialStatus: 'cancelled' })
}

/**
 * https://docs.multisafepay.com/docs/smartpos-solutions#cancellation, with the members of its example. A
 * declined order can also be cancelled: content/point-of-sale/pos-troubleshooting.md
 */
export function cancelAtTerminal(held: Held): Response {
  if (!held.atTerminal) return failed(403, 1000, 'Only for Bancontact QR payments')
  if (!isAtWork(held)) return failed(400, 1000, 'The order can no longer be cancelled')
  cancelled(held)
  const { costs, created, custom_info, fastcheckout, modified } = orderJson(held)
  return succeeded({
    costs,
    created,
    custom_info,
    fastcheckout,
    financial_status: null,
    modified,
    payment_details: {},
    payment_methods: null,
    status: 'cancelled',
  })
}

/**
 * The customer pays by card and adds a tip (minor units). The members are those of the example in
 * smartpos-solutions.md.
 */
export function payAtTerminal(held: Held, tip: number): void {
  if (!held.atTerminal || !isAtWork(held)) throw new Error(`order ${held.order.order_id} is ${held.status}`)
  held.order = { ...held.order, amount: held.order.amount + tip }
  held.method = 'VISA'
  held.atTerminal.card = {
    application_id: 'a0000000031010',
    authorization_code: '705151',
    card_entry_mode: 'ICC_CONTACTLESS',
    cardholder_verification_method: 'NO_CVM',
    last4: '1234',
    response_code: '00',
    terminal_id: terminalOf(held),
  }
  Object.assign(held, { status: 'completed', financialStatus: 'completed' })
}

/** The card is declined. The customer may enter a PIN or try another card. */
export function declineAtTerminal(held: Held): void {
  if (!held.atTerminal) throw new Error('not at a terminal')
  held.atTerminal.touched = Date.now()
  Object.assign(held, { status: 'declined', financialStatus: 'declined' })
}
