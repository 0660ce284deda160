import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import * as v from 'valibot'
import { bodySignature } from '../../platform/crypto/signing.ts'
import { type Refusal, problem } from '../../platform/http/refusal.ts'

/** A fault between the shop and the hub, which hits the shop's next create, once. */
export type Fault = 'the answer is lost' | 'the token has expired' | 'too many requests' | 'unavailable'

/** A create that the shop sent: under which key, and what came of it. `at` is in ms. */
export type Create = { at: number; key: string | null; status: number; job: Made | null }
const Made = v.object({ paymentJob: v.string(), payUrl: v.string(), orderNumber: v.string() })
type Made = v.InferOutput<typeof Made>

/** How many seconds the shop is asked to wait. */
export const RETRY_AFTER = 2

export type HubWay = {
  /** All creates, the oldest first. */
  creates: readonly Create[]
  fail: (fault: Fault) => void
  close: () => void
}

/** Headers that belong to one connection, or that `fetch` makes itself. */
const OF_CONNECTION = new Set(['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive'])

/** Serves the hub at a port of this machine: so it knows what the shop creates, and plays faults. */
export async function hubWay(hub: string, port: number, secret: string): Promise<HubWay> {
  const creates: Create[] = []
  let fault: Fault | null = null

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', hub)
    const isCreate = request.method === 'POST' && /^\/(api\/v1|v2)\/paymentjobs\/?$/.test(url.pathname)
    const body = Buffer.concat(await request.toArray())
    if (!isCreate) return give(response, await ask(hub, request, body))
    const key = request.headers['idempotency-key']
    const create: Create = { at: Date.now(), key: typeof key === 'string' ? key : null, status: 0, job: null }
    creates.push(create)
    const happens = fault
    fault = null
    if (happens !== null && happens !== 'the answer is lost') {
      const problem = await problemOf(happens, secret)
      create.status = problem.status
      return give(response, problem)
    }
    const answer = await ask(hub, request, body)
    create.status = answer.status
    create.job = madeOf(await answer.clone().text())
    if (happens === null) return give(response, answer)
    response.destroy()
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  }).listen(port)
  await once(server, 'listening')
  return {
    creates,
    fail: (next) => {
      fault = next
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function ask(hub: string, request: IncomingMessage, body: Buffer): Promise<Response> {
  const { method = 'GET', url = '/' } = request
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    OF_CONNECTION.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  )
  const given = method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }
  return fetch(new URL(url, hub), { method, headers, ...given, redirect: 'manual' })
}

async function give(response: ServerResponse, answer: Response): Promise<void> {
  const headers = Array.from(answer.headers).filter(
    // `fetch` has decoded the body.
    ([name]) => !OF_CONNECTION.has(name) && name !== 'content-encoding',
  )
  response.writeHead(answer.status, headers.flat())
  for await (const part of answer.body ?? []) response.write(part)
  response.end()
}

const Answer = v.pipe(v.string(), v.parseJson(), Made)

function madeOf(text: string): Made | null {
  const read = v.safeParse(Answer, text)
  return read.success ? read.output : null
}

const REFUSALS = {
  'the token has expired': { code: 'token-invalid', detail: 'The access token is unknown or has expired.' },
  'too many requests': { code: 'rate-limited', name: 'create', limit: 20_000, period: RETRY_AFTER },
  unavailable: {
    code: 'unavailable',
    detail: 'A part of the hub does not answer now.',
    retryAfter: RETRY_AFTER,
  },
} as const satisfies Readonly<Record<string, Refusal>>

/** The hub's own problem, signed as it signs those of a point of sale that it knows. */
async function problemOf(fault: keyof typeof REFUSALS, secret: string): Promise<Response> {
  const response = problem(REFUSALS[fault])
  if (response.status !== 401 && secret !== '')
    response.headers.set('x-signature', await bodySignature(secret, await response.clone().text()))
  return response
}
