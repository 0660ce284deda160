type Json = Record<string, unknown>

/** The part of a message's header that the cloud reads. */
export type Header = { ServiceID: string; SaleID: string; POIID: string; MessageCategory: string }

/** The terminals behind the cloud. A device returns null for a request that has a wrong form. */
export type Devices = {
  account: { apiKey: string; merchantAccount: string }
  /** All terminals: whether each is on, is heard, and how many of its next payments do not reach it. */
  listed: () => ReadonlyMap<string, { isOn: boolean; isHeard: boolean; missed: number }>
  pay: (header: Header, content: unknown, isAsync: boolean) => Promise<Json | null> | null
  statusOf: (terminal: string, reference: unknown) => Json
  abort: (terminal: string, serviceId: unknown) => void
}

const UNREACHABLE = 'message=Did+not+receive+a+response+from+the+POI.'

/** An error of the Cloud device API: a problem of RFC 7807. */
function problem(status: number, title: string, errorCode: string, detail = title): Response {
  const body = { type: 'https://docs.adyen.com/errors', title, status, detail, errorCode }
  return Response.json(body, { status })
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

/** A nested member; undefined if it is missing. */
export function member(value: unknown, ...names: string[]): unknown {
  return names.reduce((held, name) => (isObject(held) ? held[name] : undefined), value)
}

/** Returns a text unchanged, and an empty text for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Adyen's own answer if it cannot reach the terminal. */
function rejected(header: Header, body: unknown) {
  return {
    SaleToPOIRequest: {
      MessageHeader: {
        ...header,
        MessageClass: 'Event',
        MessageCategory: 'Event',
        MessageType: 'Notification',
      },
      EventNotification: {
        EventToNotify: 'Reject',
        EventDetails: UNREACHABLE,
        RejectedMessage: btoa(JSON.stringify(body)),
        TimeStamp: '2026-11-28T10:00:00.000Z',
      },
    },
  }
}

function reply(header: Header, name: string, response: unknown): Response {
  const MessageHeader = {
    ...header,
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageType: 'Response',
  }
  return Response.json({ SaleToPOIResponse: { MessageHeader, [name]: response } })
}

/** Answers a message of the Terminal API. `device`: the terminal in the address, if there is one. */
async function nexo(devices: Devices, how: string, device: string | null, body: unknown): Promise<Response> {
  const message = member(body, 'SaleToPOIRequest')
  const read = (name: string) => textOf(member(message, 'MessageHeader', name))
  const id = read('POIID')
  const isForm =
    read('ProtocolVersion') === '3.0' &&
    read('MessageClass') === 'Service' &&
    read('MessageType') === 'Request' &&
    /^\w{1,10}$/.test(read('ServiceID')) &&
    read('SaleID') !== '' &&
    (device ?? id) === id
  if (!isForm) return problem(400, 'Bad Request', '00_400', 'The message header is wrong')
  const known = devices.listed().get(id)
  if (!known) return problem(404, 'Not Found', '00_404', `No device ${id}`)
  const category = read('MessageCategory')
  const header = {
    ServiceID: read('ServiceID'),
    SaleID: read('SaleID'),
    POIID: id,
    MessageCategory: category,
  }
  const content = member(message, `${category}Request`)
  if (!known.isOn || !known.isHeard) {
    if (!known.isHeard && category === 'Payment') void devices.pay(header, content, false)
    return Response.json(rejected(header, body))
  }
  const reference = member(content, 'MessageReference')
  if (category === 'TransactionStatus' && how === 'sync')
    return reply(header, 'TransactionStatusResponse', devices.statusOf(id, reference))
  if (category === 'Abort') {
    devices.abort(id, member(reference, 'ServiceID'))
    return new Response('')
  }
  if (category === 'Payment' && known.missed > 0) {
    known.missed -= 1
    return Response.json(rejected(header, body))
  }
  if (category !== 'Payment') return problem(400, 'Bad Request', '00_400', `Unknown request ${category}`)
  const paid = devices.pay(header, content, how === 'async')
  if (!paid) return problem(400, 'Bad Request', '00_400', 'The payment request is wrong')
  return how === 'async' ? new Response('ok') : reply(header, 'PaymentResponse', await paid)
}

/**
 * Adyen's Cloud device API (CloudDeviceService-v1), and its earlier addresses. Returns null for any other
 * API.
 */
export async function adyenCloud(devices: Devices, request: Request): Promise<Response | null> {
  const { account, listed } = devices
  const { pathname } = new URL(request.url)
  const [, named = '', rest = ''] = /^(?:\/v1)?\/merchants\/([^/]+)\/(.+)$/.exec(pathname) ?? []
  const [, old] = /^\/(sync|async|connectedTerminals)$/.exec(pathname) ?? []
  if (!rest && !old) return null
  const isOwn = old !== undefined || decodeURIComponent(named) === account.merchantAccount
  if (request.headers.get('x-api-key') !== account.apiKey) return problem(401, 'Unauthorized', '00_401')
  if (!isOwn) return problem(403, 'Forbidden', '00_403', 'Not entitled to this merchant account')
  const connected = [...listed()].flatMap(([id, { isOn }]) => (isOn ? [id] : []))
  if (rest === 'connectedDevices') return Response.json({ uniqueDeviceIds: connected })
  if (old === 'connectedTerminals') return Response.json({ uniqueTerminalIds: connected })
  const [, device = '', what = ''] = /^devices\/([^/]+)\/(sync|async|status)$/.exec(rest) ?? []
  const id = decodeURIComponent(device)
  if (what === 'status')
    return Response.json({ deviceId: id, status: listed().get(id)?.isOn ? 'ONLINE' : 'OFFLINE' })
  if (!old && what === '') return problem(404, 'Not Found', '00_404')
  return nexo(devices, old ?? what, old ? null : id, await request.json())
}
