import * as v from 'valibot'
import {
  type AnswerFrame,
  type ListenAs,
  HubFrame,
  LONGEST_SILENCE,
  PING_EVERY,
  PROTOCOL,
  TOKEN_PROTOCOL,
} from '../contract/report-frames.ts'
import { backoff, pause } from '../client/pause.ts'
import type { TestHub } from './test-hub.ts'
import { noHubAt, reasonIn } from '../programs/chosen-hub.ts'

const OPENING = 15_000

/**
 * The callbacks of a listener: for a frame of the hub, for a connection, and for a lost one, which
 * it opens again.
 */
type Heard = {
  frame: (frame: Exclude<HubFrame, { type: 'ready' }>) => void
  connected: (pos: string) => void
  lost: () => void
}

type ListenSocket = {
  send: (answer: AnswerFrame) => void
  close: () => void
  /** Resolves with null once it was closed, or with the reason when the hub refuses it for good. */
  ended: Promise<string | null>
}

/**
 * Listens to the reports of a point of sale. Connects again when the hub restarts or the connection
 * breaks.
 */
export function listenSocket({ url, key }: TestHub, as: ListenAs, heard: Heard): ListenSocket {
  const address = new URL(`/v2/reports/listen?as=${as}`, url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  const over = new AbortController()
  let socket: WebSocket | null = null

  const run = async (): Promise<string | null> => {
    let wasConnected = false
    for (let failures = 0; !over.signal.aborted;) {
      socket = new WebSocket(address, [PROTOCOL, TOKEN_PROTOCOL + key])
      const isReady = await stay(socket, heard)
      if (over.signal.aborted) break
      if (isReady) {
        wasConnected = true
        failures = 0
        heard.lost()
      } else {
        const refused = await whyRefused(address, key)
        if ('status' in refused && isForGood(refused.status)) {
          return `The hub at ${url} answered ${refused.status}: ${refused.detail}`
        }
        if (!wasConnected && failures > 0) {
          return 'status' in refused && refused.status === UPGRADE_REQUIRED
            ? `The hub at ${url} takes no listener now: ten programs at most listen to a point of sale.`
            : noHubAt('error' in refused && refused.error, url)
        }
        failures += 1
      }
      // Rejects when it was closed meanwhile, and then nothing is left to wait for.
      await pause(backoff(failures + 1), over.signal).catch(() => {})
    }
    return null
  }

  return {
    ended: run(),
    send: (answer) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(answer))
    },
    close: () => {
      over.abort()
      socket?.close(1000)
    },
  }
}

/** Listens with `frame` only. Resolves once the hub accepts the listener; throws if it refuses. */
export async function startListening(
  hub: TestHub,
  as: ListenAs,
  frame: Heard['frame'],
): Promise<ListenSocket> {
  const connected = Promise.withResolvers<null>()
  const socket = listenSocket(hub, as, { frame, connected: () => connected.resolve(null), lost: () => {} })
  const refused = await Promise.race([connected.promise, socket.ended])
  if (refused !== null) throw new Error(refused)
  return socket
}

/** Tells whether a later try is in vain: the hub goes on refusing a wrong key. */
function isForGood(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429 && status !== UPGRADE_REQUIRED
}

/** Stays with a socket until it closes. Resolves with true if the hub had accepted the listener. */
function stay(socket: WebSocket, heard: Heard): Promise<boolean> {
  return new Promise((resolve) => {
    let isReady = false
    let lastHeard = Date.now()
    const opened = setTimeout(() => isReady || socket.close(), OPENING)
    const pings = setInterval(() => {
      // A connection may break without an event: then nothing comes back for a while.
      if (Date.now() - lastHeard > LONGEST_SILENCE) end()
      else if (socket.readyState === WebSocket.OPEN) socket.send('ping')
    }, PING_EVERY)
    const end = (): void => {
      clearTimeout(opened)
      clearInterval(pings)
      socket.close()
      resolve(isReady)
    }
    socket.addEventListener('close', end)
    socket.addEventListener('error', end)
    socket.addEventListener('message', ({ data }) => {
      lastHeard = Date.now()
      const read = v.safeParse(Frame, data)
      if (!read.success) return
      if (read.output.type === 'ready') {
        isReady = true
        heard.connected(read.output.pos)
      } else heard.frame(read.output)
    })
  })
}

/** Unknown frames are ignored, `pong` among them. */
const Frame = v.pipe(v.string(), v.parseJson(), HubFrame)

const PATIENCE = 10_000
/** The hub expects a WebSocket here, so it has accepted the key. */
const UPGRADE_REQUIRED = 426

type Refusal = { status: number; detail: string } | { error: unknown }

/** Asks the hub by plain HTTP for the answer that a WebSocket hides, or for the error without an answer. */
async function whyRefused(socketUrl: URL, key: string): Promise<Refusal> {
  const url = new URL(socketUrl)
  url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:'
  const headers = { authorization: `Bearer ${key}` }
  try {
    const answer = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) })
    return { status: answer.status, detail: reasonIn(await answer.text()) }
  } catch (error) {
    return { error }
  }
}
