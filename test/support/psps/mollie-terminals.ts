import {
  type MolliePayment,
  type NewPayment,
  amountOf,
  halJson,
  minorOf,
  mollieProblem,
  pageJson,
  setMollieStatus,
} from './mollie-payment.ts'

/** A terminal in Mollie's memory. `isReachable`: it is switched on and connected. */
export type MollieTerminal = {
  id: string
  description: string
  status: 'pending' | 'active' | 'inactive'
  currency: string
  isReachable: boolean
}

export function mollieTerminals(): MollieTerminal[] {
  const active = { status: 'active', currency: 'EUR', isReachable: true } as const
  return [
    { ...active, id: 'term_7MgL4wea46qkRcoTZjWEH', description: 'Counter 1' },
    { ...active, id: 'term_vytxeTZskVKR7C7WgdSP3d', description: 'Counter 2' },
    { ...active, id: 'term_gone', description: 'Sent back', status: 'inactive' },
  ]
}

/** https://docs.mollie.com/reference/get-terminal */
function terminalJson({ id, description, status, currency }: MollieTerminal) {
  return {
    resource: 'terminal',
    mode: 'live',
    id,
    description,
    status,
    currency,
    brand: 'PAX',
    model: 'A920',
    serialNumber: '1234567890',
    profileId: 'pfl_QkEhN94Ba',
    createdAt: '2026-02-12T11:58:35+00:00',
    updatedAt: '2026-02-12T11:58:35+00:00',
    _links: {
      self: { href: `https://api.mollie.com/v2/terminals/${id}`, type: 'application/hal+json' },
    },
  }
}

/** https://docs.mollie.com/reference/list-terminals, https://docs.mollie.com/reference/get-terminal */
export function answerAboutTerminals(
  terminals: readonly MollieTerminal[],
  id: string | undefined,
  url: URL,
): Response {
  if (id === undefined) return pageJson(url, 'terminals', terminals, terminalJson)
  const terminal = terminals.find((candidate) => candidate.id === id)
  return terminal
    ? halJson(terminalJson(terminal))
    : mollieProblem(404, 'Not Found', `No terminal exists with token ${id}.`)
}

/** Why Mollie refuses a new payment for its terminal; null if it accepts it. */
export function terminalRefusal(
  terminals: readonly MollieTerminal[],
  { method, terminalId, amount }: NewPayment,
): Response | null {
  const refusal = (detail: string, field: string) => mollieProblem(422, 'Unprocessable Entity', detail, field)
  if (method !== 'pointofsale')
    return terminalId === undefined ? null : refusal('The method has no terminal', 'terminalId')
  if (terminalId === undefined) return refusal('The terminal ID is missing', 'terminalId')
  const terminal = terminals.find(({ id }) => id === terminalId)
  if (terminal?.status !== 'active') return refusal('The terminal cannot be used', 'terminalId')
  return terminal.currency === amount.currency
    ? null
    : refusal('The terminal does not take the currency', 'amount.currency')
}

const BUSY = {
  code: 'terminal_busy',
  message:
    'Another transaction was already ongoing on the terminal. Therefore, it could not accept this transaction.',
}
const UNREACHABLE = {
  code: 'terminal_unreachable',
  message: 'The transaction did not reach the terminal within 30 seconds.',
}

/** Fails a payment with a reason: https://docs.mollie.com/docs/status-reasons */
export function failAtTerminal(payment: MolliePayment, why: { code: string; message: string }): void {
  payment.atTerminal = { ...payment.atTerminal, why }
  setMollieStatus(payment, 'failed')
}

/** Sends a payment to its terminal. The payment fails if the terminal is busy. */
export function sendToTerminal(payment: MolliePayment, others: readonly MolliePayment[]): void {
  const { terminalId } = payment.request
  const isBusy = others.some(
    (other) => other !== payment && other.status === 'open' && other.request.terminalId === terminalId,
  )
  if (terminalId !== undefined && isBusy) failAtTerminal(payment, BUSY)
}

/** Fails a payment that has not reached its terminal within 30 seconds. */
export function passTimeAtTerminal(payment: MolliePayment, terminals: readonly MollieTerminal[]): void {
  const terminal = terminals.find(({ id }) => id === payment.request.terminalId)
  const isLate = Date.now() >= payment.createdAt + 30_000
  if (terminal && !terminal.isReachable && isLate && payment.status === 'open')
    failAtTerminal(payment, UNREACHABLE)
}

/** The customer adds a tip (minor units) to the amount. */
export function addTip(payment: MolliePayment, tip: number): void {
  const { amount } = payment.request
  payment.request = { ...payment.request, amount: amountOf(amount.currency, minorOf(amount) + tip) }
}

/** The customer pays by card and adds a tip (minor units). */
export function payAtTerminal(payment: MolliePayment, tip: number): void {
  const details = {
    cardNumber: '4335',
    cardLabel: 'Visa',
    cardFunding: 'debit',
    maskedNumber: '476173******4335',
    receipt: {
      authorizationCode: '654321',
      applicationIdentifier: 'A0000000031010',
      cardReadMethod: 'contactless',
      cardVerificationMethod: 'no-cvm-required',
    },
  }
  addTip(payment, tip)
  payment.atTerminal = { ...payment.atTerminal, isCardIn: true, details }
  setMollieStatus(payment, 'paid')
}
