import type { Hub } from '../client/types.ts'
import { createHub } from '../client/create-hub.ts'
import { HubError } from '../client/client.ts'
import type { PaymentMethods } from '../contract/payment-methods.ts'
import type { Terminal } from '../contract/terminals.ts'
import { type TillData, type Placing, keep } from './sealed.ts'
import { type Saying, isSaying, language, say } from './speech.ts'

/** An open till of a point of sale. Its secrets go only to the hub's API. */
export type Session = Omit<TillData, 'open' | 'placing' | 'jobs' | 'unseen'> & {
  hub: Hub
  connection: Connection
  about: PaymentMethods
  /** The terminals that it may use, as the hub last listed them. */
  terminals: readonly Terminal[]
  /** The jobs whose reports this tab takes: created here, without a `report_url`. */
  jobs: Set<string>
  /** The payments of this tab whose end nobody has seen; an empty id is that of an order on its way. */
  unseen: Set<string>
  /** True once the hub has asked for the PIN for refunds. */
  wantsPin: boolean
  /** True after the till was closed: then nothing is kept any more. */
  isClosed: boolean
  /** The till's own IP address, instead of its customers'. */
  ipAddress: string
}

/** Opens the till. Throws for a malformed signing secret before it calls the hub. */
export async function openSession({
  apiKey,
  signingSecret,
  jobs,
  unseen = [],
  last,
}: Omit<TillData, 'open' | 'placing'>): Promise<Session> {
  checkSecret(signingSecret)
  const connection = newConnection()
  const hub = createHub({ baseUrl: location.origin, apiKey, fetch: connection.fetch })
  const [about, terminals] = await Promise.all([hub.paymentMethods({ language }), hub.listTerminals()])
  const ipAddress = about.mode === 'live' ? await ownAddress() : NOBODY
  const known = { apiKey, signingSecret, about, terminals, last }
  const sets = { jobs: new Set(jobs), unseen: new Set(unseen) }
  return { hub, connection, ...known, ...sets, wantsPin: false, isClosed: false, ipAddress }
}

/** Keeps a session for the next load of the page: the payment that it shows, or an order on its way. */
export async function keepSession(
  { apiKey, signingSecret, jobs, unseen, last, isClosed }: Session,
  open: string | null,
  placing?: Placing,
): Promise<void> {
  if (isClosed) return
  const sets = { jobs: [...jobs], unseen: [...unseen].filter(Boolean) }
  const content = { apiKey, signingSecret, ...sets, last, open, ...(placing && { placing }) }
  // If the browser stores nothing, a reload closes the till.
  await keep(content).catch(() => undefined)
}

/** An address that no machine has (RFC 5737). */
const NOBODY = '203.0.113.7'

/** Returns this browser's IP address, which Cloudflare shows each visitor. */
async function ownAddress(): Promise<string> {
  try {
    const trace = await (await fetch('/cdn-cgi/trace')).text()
    return /^ip=([\d.a-f:]+)$/m.exec(trace)?.[1] ?? NOBODY
  } catch {
    return NOBODY
  }
}

/** A mistake that the till itself finds, in the till's language. */
export class Mistake extends Error {}

/** The texts of problems that the till knows, by their code. {fields} is the PIN. */
const SAYINGS: Readonly<Partial<Record<string, Saying>>> = {
  'refund-too-much': 'tooMuch',
  'refund-nothing-left': 'tooMuch',
  'cancel-too-late': 'tooLate',
  'insufficient-scope': 'keyMayNot',
  'refund-day-limit': 'dayLimit',
  'refund-pin-wrong': 'check',
}

/** Explains an error to a cashier. `detail` is the hub's own explanation, in English. */
export function wordsFor(error: unknown): { says: string; detail: string | null } {
  if (error instanceof Mistake) return { says: error.message, detail: null }
  if (!(error instanceof HubError)) return { says: say('failedToDo'), detail: String(error) }
  const { status, code, errors, retryAfter } = error
  const known = SAYINGS[code] ?? ofStatus(status)
  const minutes = String(Math.ceil((retryAfter ?? 1) / 60))
  if (known) return { says: say(known, { fields: say('pin'), minutes }), detail: null }
  const fields = errors
    .map(({ field }) => field)
    .filter(isSaying)
    .map((field) => say(field))
  const reasons = errors.map(({ error: wrong }) => wrong).join('; ')
  return fields.length > 0
    ? { says: say('check', { fields: fields.join(', ') }), detail: reasons }
    : { says: say('failedToDo'), detail: reasons || error.message }
}

function ofStatus(status: number | null): Saying | null {
  if (status === null || status >= 500) return 'noAnswer'
  return status === 401 ? 'keyWrong' : status === 429 ? 'tooMany' : null
}

/** A signing secret: base64 of 48 bytes (RFC 4648, section 4). */
const SECRET = /^[A-Za-z0-9+/]{64}$/

/** Throws for a malformed signing secret. It may be empty. */
export function checkSecret(secret: string): void {
  if (secret !== '' && !SECRET.test(secret))
    throw new Mistake(say('secretWrong', { count: String(secret.length) }))
}

/** How long (ms) the hub may be unreachable before the till says so. */
const PATIENCE = 3000

/** The till's connection: all its calls and its stream go through `fetch`. */
export type Connection = {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Calls `tell` now and after each change. Returns a function that stops this. */
  onChange: (tell: (isGone: boolean) => void) => () => void
}

/**
 * Returns true if a proxy answered for an unreachable hub (RFC 9110, 15.6.3 to 15.6.5). Such an answer has
 * no request id.
 */
function isOfNobody({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.has('x-request-id')
}

/** Sends requests, and learns from their outcome whether the hub is reachable. */
export function newConnection(fetcher: Connection['fetch'] = (url, init) => fetch(url, init)): Connection {
  const listeners = new Set<(isGone: boolean) => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  const become = (gone: boolean): void => {
    if (gone === isGone) return
    isGone = gone
    for (const tell of listeners) tell(gone)
  }
  const failed = (): void => {
    timer ??= setTimeout(() => become(true), PATIENCE)
  }
  const answered = (): void => {
    clearTimeout(timer)
    timer = undefined
    become(false)
  }
  return {
    fetch: async (url, init) => {
      try {
        const response = await fetcher(url, init)
        if (isOfNobody(response)) failed()
        else answered()
        return response
      } catch (error) {
        // An aborted call says nothing about the connection.
        if (!init.signal?.aborted) failed()
        throw error
      }
    },
    onChange: (tell) => {
      listeners.add(tell)
      tell(isGone)
      return () => void listeners.delete(tell)
    },
  }
}
