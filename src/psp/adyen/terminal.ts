import * as v from 'valibot'
import { decimalsOf } from '../../contract/money.ts'
import { randomHex, sha256 } from '../../platform/crypto/hash.ts'
import { type AnnounceAnswer, type RefusedOrder, type Unavailable, refusedOrder } from '../answer.ts'
import { type HttpAnswer, type Call, type Options, apiClient, unavailable } from '../http-client.ts'
import type { Connection, PaymentRequest, Terminals } from '../port.ts'
import { urlPart } from '../values.ts'
import { rejectionIn, toSeen } from './terminal-answer.ts'
import { macOf } from './terminal-event.ts'
import type { Credentials } from './tables.ts'

/** How the operator sets up card terminals. */
export const TERMINALS =
  'In the Customer Area, under In-person payments → Terminal settings → Integrations: switch on the Terminal API with cloud communications, and add the address of the webhook as event URL, with the user name and the password that are eventUser and eventPassword of this account. Its terminalRegion is the data centre of the terminals. Give its API key, or one of its own (terminalKey), the role Cloud Device API. The standard webhook is needed as for links.'

/** The hub's name at the terminals. It is the same for all, because a ServiceID names the payment. */
const SALE_ID = 'payment-hub'

/** How long (ms) a terminal may take to end a payment that the hub aborted. */
const ABORT_PAUSE = 1500

/** A payment at a terminal: the terminal's POIID and the ServiceID of the payment request. */
type Place = { terminal: string; serviceId: string }

/** Returns the payment that a reference names: `POIID/ServiceID`. A POIID has no slash. */
function placeOf(reference: string): Place {
  const [terminal = '', serviceId = ''] = reference.split('/')
  return { terminal, serviceId }
}

function referenceOf({ terminal, serviceId }: Place): string {
  return `${terminal}/${serviceId}`
}

/** The form of the references of payments at terminals. */
export const TERMINAL_REFERENCE = /^[\w.-]{1,64}\/[0-9a-f]{10}$/

/**
 * Returns the place at which a job is paid. A job always has the same ServiceID ("1 to 10 characters,
 * unique for 48 hours"), so that the hub can ask about a request whose answer was lost.
 */
async function placeAt({ job }: Pick<PaymentRequest, 'job'>, terminal: string): Promise<Place> {
  return { terminal, serviceId: (await sha256(`adyen-terminal:${job}:${terminal}`)).slice(0, 10) }
}

/** How to reach an account's terminals. `isOld`: at the addresses from before the Cloud device API. */
type Cloud = { call: Call; isOld: boolean; merchantAccount: string; hmacKey: string }

/**
 * Returns the address of the API, which depends on the region whose data centre the Customer Area shows.
 * Of these, Adyen's documents lack only `nea`. Earlier addresses have other paths:
 * https://docs.adyen.com/point-of-sale/design-your-integration/terminal-api/#cloud
 */
function endpointOf({ endpoint, mode }: Connection<Credentials>, region: string, isOld: boolean): string {
  if (endpoint !== undefined) return endpoint
  const host = `${isOld ? 'terminal' : 'device'}-api-${mode}`
  const near = mode === 'test' || region === 'eu' ? '' : `-${region}`
  return `https://${host}${near}.adyen.com${isOld ? '' : '/v1'}`
}

/** Opens an account's terminals; undefined for an account without a region for them. */
export function terminalsOf(connection: Connection<Credentials>): Terminals | undefined {
  const { fetch, credentials } = connection
  const { terminalRegion, terminalKey = credentials.apiKey, merchantAccount, hmacKey } = credentials
  if (terminalRegion === undefined) return undefined
  const [region = '', old] = terminalRegion.split(' ')
  const isOld = old !== undefined
  const endpoint = endpointOf(connection, region, isOld)
  const account = { headers: { 'x-api-key': terminalKey }, secret: terminalKey }
  const call = apiClient({ fetch, endpoint, authorise: () => account, parse })
  const cloud: Cloud = { call, isOld, merchantAccount, hmacKey }
  const ask = async (reference: string, currency: string) => {
    const place = placeOf(reference)
    return toSeen(await question(cloud, place), place, currency)
  }
  return {
    announce: (payment, deadline) => announce(cloud, payment, deadline),
    ask,
    /** The payment's own answer brings the end, for which the terminal needs a moment. */
    async stop(reference, currency) {
      await abort(cloud, placeOf(reference))
      const seen = await ask(reference, currency)
      if (seen.is !== 'observed' || seen.status !== 'PENDING') return seen
      await new Promise((resolve) => setTimeout(resolve, ABORT_PAUSE))
      return ask(reference, currency)
    },
    list: () => list(cloud),
  }
}

/** Adyen answers `ok` to a request that it passed on, and nothing to an abort. */
function parse(text: string): unknown {
  const plain = text.trim()
  return plain === '' || plain === 'ok' ? plain : JSON.parse(plain)
}

/** Sends a request of the Terminal API. The answer comes at once (`sync`), or in an event notification. */
function send(
  { call, isOld, merchantAccount }: Cloud,
  how: 'sync' | 'async',
  category: 'Payment' | 'TransactionStatus' | 'Abort',
  { terminal, serviceId }: Place,
  content: object,
  options: Pick<Options, 'deadline'> = {},
) {
  const MessageHeader = {
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageCategory: category,
    MessageType: 'Request',
    ServiceID: serviceId,
    SaleID: SALE_ID,
    POIID: terminal,
  }
  const device = isOld ? '' : `/merchants/${urlPart(merchantAccount)}/devices/${urlPart(terminal)}`
  const body = { SaleToPOIRequest: { MessageHeader, [`${category}Request`]: content } }
  return call('POST', `${device}/${how}`, { ...options, body })
}

/** Returns a place with a new ServiceID for a request about a payment, and the reference to the payment. */
function about({ terminal, serviceId }: Place): [Place, { MessageReference: object }] {
  const MessageReference = { MessageCategory: 'Payment', SaleID: SALE_ID, ServiceID: serviceId }
  return [{ terminal, serviceId: randomHex(10) }, { MessageReference }]
}

/**
 * Asks a terminal about a payment. "If you normally use asynchronous cloud communications, you
 * need to use a /sync endpoint to check the transaction status":
 * https://docs.adyen.com/point-of-sale/basic-tapi-integration/verify-transaction-status
 */
function question(cloud: Cloud, place: Place, options: Pick<Options, 'deadline'> = {}) {
  const [own, reference] = about(place)
  return send(cloud, 'sync', 'TransactionStatus', own, reference, options)
}

/** https://docs.adyen.com/point-of-sale/basic-tapi-integration/cancel-a-transaction */
function abort(cloud: Cloud, place: Place) {
  const [own, reference] = about(place)
  return send(cloud, 'async', 'Abort', own, { AbortReason: 'MerchantAbort', ...reference })
}

/** Sends a payment to its terminal, unless the terminal has it already. */
async function announce(
  cloud: Cloud,
  payment: PaymentRequest,
  deadline: AbortSignal,
): Promise<AnnounceAnswer> {
  const { terminal } = payment
  if (!terminal) return unavailable('The order names no terminal.')
  const place = await placeAt(payment, terminal.id)
  const [reference, way] = [referenceOf(place), { way: 'terminal', terminal: terminal.id } as const]
  const took = { is: 'announced', reference, ...way, expiresAt: null } as const
  if (terminal.isHeld) return took
  /** Asks the terminal whether it has the payment, and refuses the payment if it does not. */
  const found = async (why: string): Promise<AnnounceAnswer> => {
    const seen = toSeen(await question(cloud, place, { deadline }), place, payment.currency)
    if (seen.is === 'unknown') return refusedOrder('terminal_unreachable', why)
    return seen.is === 'observed' || seen.failure !== undefined ? took : seen
  }
  if (terminal.isSent) {
    const answer = await found('Adyen says that the terminal never began the payment.')
    if (answer.is !== 'refused' || !terminal.mayStart) return answer
  }
  const content = await contentOf(cloud, payment, place)
  const answer = await send(cloud, 'async', 'Payment', place, content, { deadline })
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400) return refusalIn(answer, 'payment')
  if (answer.body === 'ok') return took
  const rejection = rejectionIn(answer.body)
  if (rejection === null) return unavailable('Adyen answered without taking the payment.')
  return (await isOff(cloud, place, deadline)) ? refusedOrder('terminal_off', rejection) : found(rejection)
}

/**
 * Returns the content of a payment request. Amounts of the Terminal API are decimals of the currency's own
 * unit. Adyen returns the metadata with the payment's answer, which has no signature but the hub's mark.
 */
async function contentOf({ hmacKey }: Cloud, { job, currency, amount }: PaymentRequest, place: Place) {
  const mac = await macOf(hmacKey, { job, reference: referenceOf(place) })
  return {
    SaleData: {
      SaleTransactionID: { TransactionID: job, TimeStamp: new Date().toISOString() },
      SaleToAcquirerData: new URLSearchParams({ 'metadata.hub_mac': mac }).toString(),
    },
    PaymentTransaction: {
      AmountsReq: { Currency: currency, RequestedAmount: amount / 10 ** decimalsOf(currency) },
    },
  }
}

/** https://docs.adyen.com/api-explorer/cloud-device-api/1/overview: errors are problems of RFC 7807. */
const Problem = v.object({ title: v.nullish(v.string()), detail: v.nullish(v.string()) })

function refusalIn({ status, body }: HttpAnswer, what: string): RefusedOrder | Unavailable {
  const problem = v.safeParse(Problem, body)
  const words = problem.success ? (problem.output.detail ?? problem.output.title) : null
  const message = `Adyen refused the ${what}: ${words ?? `it answered ${status}`}`
  if (status === 401 || status === 403) return { is: 'unavailable', message, accountRefused: true }
  return refusedOrder(status === 404 ? 'terminal_unreachable' : 'refused_other', message)
}

/** Returns whether Adyen says that a terminal is off, which its earlier addresses never do. */
async function isOff(cloud: Cloud, { terminal }: Place, deadline: AbortSignal): Promise<boolean> {
  const { call, isOld, merchantAccount } = cloud
  if (isOld) return false
  const path = `/merchants/${urlPart(merchantAccount)}/devices/${urlPart(terminal)}/status`
  const answer = await call('GET', path, { deadline })
  return answer.is === 'answered' && v.is(v.object({ status: v.literal('OFFLINE') }), answer.body)
}

const Connected = v.union([
  v.object({ uniqueDeviceIds: v.array(v.string()) }),
  v.object({ uniqueTerminalIds: v.array(v.string()) }),
])

/** Lists the connected terminals. Adyen shows no others here, and no names. */
async function list({ call, isOld, merchantAccount }: Cloud): ReturnType<Terminals['list']> {
  const answer = await (isOld
    ? call('POST', '/connectedTerminals', { body: { merchantAccount } })
    : call('GET', `/merchants/${urlPart(merchantAccount)}/connectedDevices`))
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400) return refusalIn(answer, 'list of terminals')
  const shown = v.safeParse(Connected, answer.body)
  if (!shown.success) return unavailable('Adyen answered without terminals.')
  const { output } = shown
  const ids = 'uniqueDeviceIds' in output ? output.uniqueDeviceIds : output.uniqueTerminalIds
  return { is: 'listed', terminals: ids.map((id) => ({ id, name: id, isOn: true })) }
}
