import { type Result, ok, refuse } from '../contract/result.ts'
import type { Profile } from '../registry/profile.ts'
import { bearerOf } from '../platform/http/headers.ts'
import { invalidField, type Refusal } from '../platform/http/refusal.ts'
import { connectListener } from '../reports/call-listener.ts'
import { OPEN_OPERATIONS } from '../contract/pos-operations.ts'
import { ListenAs, PROTOCOL, TOKEN_PROTOCOL } from '../contract/report-frames.ts'
import { MOST_LISTENERS } from '../reports/report-listener.ts'
import { authenticate, lackOf } from './authenticate.ts'
import type { OpenHandler } from './handler.ts'

/**
 * `GET /v2/reports/listen?as=answers` (or `watches`): the reports of a point of sale in test mode,
 * over a WebSocket. src/contract/report-frames.ts has its messages. A browser cannot set headers
 * here, so it sends its access token as a subprotocol.
 */
export const listenToReports: OpenHandler<'listenToReports'> = async ({ request, env, isHead, query }) => {
  const offered = protocolsOf(request)
  const token = bearerOf(request) ?? tokenIn(offered)
  const profile = await authenticate(request, env, token)
  if (!profile.ok) return profile
  const lack = lackOf(profile.value, OPEN_OPERATIONS.listenToReports.right)
  if (lack) return lack
  const as = ListenAs.options.find((known) => known === query.as)
  if (!as) return invalidField('as', `must be one of ${ListenAs.options.join(', ')}`)
  const allowed = mayListen(request, isHead, profile.value)
  if (!allowed.ok) return allowed
  const webSocket = await connectListener(env, profile.value, as)
  if (webSocket === 'full') return full
  if (webSocket === 'unavailable') return unavailable
  const headers = offered.includes(PROTOCOL) ? { 'sec-websocket-protocol': PROTOCOL } : {}
  return ok(new Response(null, { status: 101, webSocket, headers }))
}

/** Allows only a GET (RFC 6455, section 4.1), so that a HEAD does not take a listener's place. */
function mayListen(request: Request, isHead: boolean, { mode }: Profile): Result<null, Refusal> {
  if (mode === 'live') return live
  const wantsSocket = request.headers.get('upgrade')?.toLowerCase() === 'websocket'
  return wantsSocket && !isHead ? ok(null) : noSocket
}

function protocolsOf(request: Request): string[] {
  return (request.headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
}

/** Returns a browser's token from the subprotocol `bearer.TOKEN`. No answer repeats it. */
function tokenIn(offered: readonly string[]): string | null {
  if (!offered.includes(PROTOCOL)) return null
  const sent = offered.find((name) => name.startsWith(TOKEN_PROTOCOL))
  return sent?.slice(TOKEN_PROTOCOL.length) ?? null
}

const live = refuse({
  code: 'test-mode-only',
  detail:
    'This is the key of a live point of sale. You can only listen to reports of a point of sale in test mode.',
})

const noSocket = refuse({
  code: 'upgrade-required',
  detail: 'Listen to reports over a WebSocket (Upgrade: websocket).',
})

const full = refuse({
  code: 'too-many-listeners',
  detail: `This point of sale already has ${MOST_LISTENERS} listeners. End one of them.`,
})

const unavailable = refuse({
  code: 'unavailable',
  detail: 'The hub cannot connect listeners now. Try again in a moment.',
  retryAfter: 2,
})
