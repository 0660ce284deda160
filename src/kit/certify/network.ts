import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import { bodySignature } from '../../platform/crypto/signing.ts'
import { type Refusal, problem } from '../../platform/http/refusal.ts'
import type { ReportFrame } from '../../contract/report-frames.ts'
import type { TestHub } from '../test-hub.ts'
import { reasonIn } from '../../programs/chosen-hub.ts'
import { startListening } from '../listen-socket.ts'
import { serveLocally } from '../../programs/free-port.ts'
import type { ReceiverAnswer } from './shop.ts'

/** A fault between the shop and the hub, which hits the shop's next create, once. */
export type CreateFault = 'the answer is lost' | 'the token has expired' | 'too many requests' | 'unavailable'

/** A create that the shop sent, and the job that it made. `at` is in ms. `isManual`: the shop captures later. */
type Create = { at: number; isManual: boolean; job: Made | null }
const Made = v.object({ paymentJob: v.string(), payUrl: v.string(), orderNumber: v.string() })
export type Made = v.InferOutput<typeof Made>

/** How many seconds the shop is asked to wait. */
export const RETRY_AFTER = 2

export type HubWay = {
  /** All creates, the oldest first. */
  creates: readonly Create[]
  /** The origins of all addresses that the shop's creates named. */
  origins: ReadonlySet<string>
  /** What the hub answered to the shop's last create or question for a token; null if it made it. */
  refusal: () => string | null
  fail: (fault: CreateFault) => void
  close: () => void
}

const Wanted = v.fallback(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())), {})

/** Headers that belong to one connection, or that `fetch` makes itself. */
const OF_CONNECTION = new Set(['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive'])

/**
 * Serves the hub at a port of this machine, to see what the shop creates and to play faults. It leads
 * only to the hub: a request for another host, as to a proxy, is a 421 (RFC 9110, section 15.5.20).
 */
export async function hubWay(hub: string, port: number, secret: string): Promise<HubWay> {
  const creates: Create[] = []
  const origins = new Set<string>()
  let fault: CreateFault | null = null
  let refusal: string | null = null

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = addressAt(hub, request.url ?? '/')
    if (target === null) return give(response, new Response(null, { status: 421 }))
    const isCreate = request.method === 'POST' && /^\/(api\/v1|v2)\/paymentjobs\/?$/.test(target.pathname)
    const body = Buffer.concat(await request.toArray())
    const pass = async (): Promise<Response> => {
      const answer = await ask(target, request, body)
      if (isCreate || target.pathname.endsWith('/v1/guardian'))
        refusal = answer.ok ? null : `${answer.status}: ${reasonIn(await answer.clone().text())}`
      return answer
    }
    if (!isCreate) return give(response, await pass())
    const wanted = v.parse(Wanted, body.toString())
    const create: Create = { at: Date.now(), isManual: wanted['capture'] === 'manual', job: null }
    creates.push(create)
    for (const url of [wanted['report_url'], wanted['return_url']])
      if (typeof url === 'string' && URL.canParse(url)) origins.add(new URL(url).origin)
    const happens = fault
    fault = null
    if (happens !== null && happens !== 'the answer is lost')
      return give(response, await problemOf(happens, secret))
    const answer = await pass()
    create.job = madeOf(await answer.clone().text())
    if (happens === null) return give(response, answer)
    response.destroy()
  }

  const server = await serveLocally((request, response) => {
    serve(request, response).catch(() => response.destroy())
  }, port)
  return {
    creates,
    origins,
    refusal: () => refusal,
    fail: (next) => {
      fault = next
    },
    close: server.close,
  }
}

/** The hub's address of a path; null if the request names a host, as `//host/` does too. */
function addressAt(hub: string, path: string): URL | null {
  const url = path.startsWith('/') ? URL.parse(path, hub) : null
  return url?.origin === new URL(hub).origin ? url : null
}

async function ask(url: URL, request: IncomingMessage, body: Buffer): Promise<Response> {
  const { method = 'GET' } = request
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    OF_CONNECTION.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  )
  const given = method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }
  return fetch(url, { method, headers, ...given, redirect: 'manual' })
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

const CreateAnswer = v.pipe(v.string(), v.parseJson(), Made)

function madeOf(text: string): Made | null {
  const read = v.safeParse(CreateAnswer, text)
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

/** The hub's own problem, signed as the hub signs those for a known point of sale. */
async function problemOf(fault: keyof typeof REFUSALS, secret: string): Promise<Response> {
  const response = problem(REFUSALS[fault])
  if (response.status !== 401 && secret !== '')
    response.headers.set('x-signature', await bodySignature(secret, await response.clone().text()))
  return response
}

/** Handles one try at a report on its way to the shop, and returns the answer for the hub. */
export type Pass = (report: ReportFrame) => Promise<ReceiverAnswer>

/** The way of reports from the hub to the shop. Each job says how its reports fare. */
export type ReportNetwork = {
  /** From now on the tries at the reports of a job go by `pass`. */
  route: (job: string, pass: Pass) => void
  close: () => void
}

/** How long (ms) to keep a report of a job that has no route yet. */
const UNNAMED = 10_000

/** Takes a shop's reports instead of its receiver. Throws if the hub accepts no listener. */
export async function reportNetwork(hub: TestHub): Promise<ReportNetwork> {
  const routes = new Map<string, Pass>()
  const early = new Map<string, ReportFrame[]>()
  const decline = (delivery: string) => socket.send({ type: 'declined', delivery })
  const carry = async (pass: Pass, report: ReportFrame): Promise<void> => {
    const { delivery } = report
    const answer = await pass(report).catch((): ReceiverAnswer => 'no connection')
    const how = typeof answer === 'number' ? { status: answer } : { failed: answer }
    socket.send({ type: 'answer', delivery, ...how })
  }
  const take = (report: ReportFrame): void => {
    const pass = routes.get(report.job)
    if (pass) return void carry(pass, report)
    // The shop's own client may have made a job whose id is not known here yet.
    early.set(report.job, [...(early.get(report.job) ?? []), report])
    setTimeout(() => {
      for (const { delivery } of early.get(report.job) ?? []) decline(delivery)
      early.delete(report.job)
    }, UNNAMED).unref()
  }
  const socket = await startListening(hub, 'answers', (frame) => {
    if (frame.type === 'report') take(frame)
  })
  return {
    route: (job, pass) => {
      routes.set(job, pass)
      for (const report of early.get(job) ?? []) void carry(pass, report)
      early.delete(job)
    },
    close: socket.close,
  }
}
