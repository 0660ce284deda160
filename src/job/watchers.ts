import type { State } from './core/state.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { closeSocket, openSockets, sendTo } from '../platform/http/web-sockets.ts'
import { LONGEST_WATCH, MOST_CUSTOMERS, MOST_OF_A_NETWORK, MOST_WATCHERS, messageOf } from './job-snapshot.ts'

/** The close code for a purged job: there is nothing to come back to. */
export const PURGED = 4404
/** The close code for a watch that took too long. The Worker ends its watch before that. */
const TOO_LONG = 4408

/** A Worker's check that the object is still there, and the reply that the platform gives for it. */
export const [PING, PONG] = ['ping', 'pong'] as const

/**
 * Keeps the sockets of the Workers that watch a job. They are hibernatable WebSockets, so the
 * object costs nothing between two events. Nothing here waits or sets a timer.
 * https://developers.cloudflare.com/durable-objects/best-practices/websockets/
 */
export function jobWatchers(ctx: DurableObjectState, read: () => State | null) {
  const open = (who?: string): WebSocket[] => openSockets(ctx, who)

  const letGoOfOld = (now: number): void => {
    for (const socket of open())
      if (sinceOf(socket) + LONGEST_WATCH + MINUTE < now) closeSocket(socket, TOO_LONG)
  }

  return {
    /**
     * Accepts a Worker's socket, and sends the job as it stands. `pos` in the query names the point
     * of sale; without it a customer watches, `from` these networks. Answers 404 if there is no job,
     * or it is another shop's; 429 if the job has enough watchers.
     */
    accept(request: Request): Response {
      if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return status(426)
      const job = read()
      const { searchParams } = new URL(request.url)
      const pos = searchParams.get('pos')
      if (!job || (pos !== null && pos !== job.pos)) return status(404)
      const now = Date.now()
      letGoOfOld(now)
      const isCustomer = pos === null
      const from = searchParams.getAll('from')
      const isFull =
        open().length >= MOST_WATCHERS ||
        (isCustomer && open('customer').length >= MOST_CUSTOMERS) ||
        from.some((network) => open(network).length >= MOST_OF_A_NETWORK)
      if (isFull) return status(429)
      const { 0: client, 1: server } = new WebSocketPair()
      ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG))
      ctx.acceptWebSocket(server, isCustomer ? ['customer', ...from] : [])
      server.serializeAttachment(now)
      server.send(messageOf(job))
      return new Response(null, { status: 101, webSocket: client })
    },

    /** Sends the job to its watchers after a change that they can see. */
    tell(before: State | null, job: State): void {
      if (open().length === 0) return
      const message = messageOf(job)
      if (before && message === messageOf(before)) return
      letGoOfOld(Date.now())
      for (const socket of open()) sendTo(socket, message)
    },

    /** Closes all sockets, because the job is purged. */
    end(): void {
      for (const socket of open()) closeSocket(socket, PURGED)
    },
  }
}

/** Returns when (ms) a socket was accepted. */
function sinceOf(socket: WebSocket): number {
  return Number(socket.deserializeAttachment())
}

function status(code: number): Response {
  return new Response(null, { status: code })
}
