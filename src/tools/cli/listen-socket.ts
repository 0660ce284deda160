import * as v from 'valibot'
import { randomBytes } from 'node:crypto'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import {
  type AnswerFrame,
  type ListenAs,
  HubFrame,
  LONGEST_SILENCE,
  PING_EVERY,
  PROTOCOL,
  TOKEN_PROTOCOL,
} from '../../contract/report-frames.ts'
import { backoff, pause } from '../../client/pause.ts'
import { type TestHub, detailOf, noHubAt } from './chosen-hub.ts'

const OPENING = 15_000

/**
 * What a listener is told: a frame of the hub; that it is connected; that it is not any more, and
 * tries again.
 */
export type Heard = {
  frame: (frame: Exclude<HubFrame, { type: 'ready' }>) => void
  connected: (pos: string) => void
  lost: () => void
}

export type ListenSocket = {
  send: (answer: AnswerFrame) => void
  close: () => void
  /** Ends once it was closed (null), or when the hub refuses it for good: then it says why. */
  ended: Promise<string | null>
}

/**
 * Listens to the reports of a point of sale, and connects again when the hub restarts or the line
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
        if (refused && isForGood(refused.status, wasConnected)) {
          return `The hub at ${url} answered ${refused.status}: ${refused.detail || 'it knows no listeners'}`
        }
        if (!wasConnected && !refused && failures > 0) {
          return noHubAt(url)
        }
        failures += 1
      }
      // Closed meanwhile: then there is nothing to wait for.
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

/**
 * A key that is refused stays so. Too many listeners may be those of this program before its line
 * broke.
 */
function isForGood(status: number, wasConnected: boolean): boolean {
  return status >= 400 && status < 500 && status !== 429 && !(wasConnected && status === 409)
}

/**
 * Stays with a socket until it is closed. Resolves with whether the hub had taken the listener in.
 */
function stay(socket: WebSocket, heard: Heard): Promise<boolean> {
  return new Promise((resolve) => {
    let isReady = false
    let lastHeard = Date.now()
    const opened = setTimeout(() => isReady || socket.close(), OPENING)
    const pings = setInterval(() => {
      // A line that broke without a word: after a while nothing comes back.
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

/** What is no frame that this release knows, `pong` among it, is left alone. */
const Frame = v.pipe(v.string(), v.parseJson(), HubFrame)

const PATIENCE = 10_000

/**
 * Why a hub takes no listener: its status code, and its words. Null where it does, or where nobody
 * answers.
 */
type Refused = { status: number; detail: string }

/**
 * Asks a hub again for a socket that could not be opened: a WebSocket does not tell what the answer
 * was.
 */
function whyRefused(socketUrl: URL, key: string): Promise<Refused | null> {
  return new Promise((resolve) => {
    const url = new URL(socketUrl)
    url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:'
    const headers = {
      authorization: `Bearer ${key}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    }
    const asking = requestOver(url)(url, { headers, timeout: PATIENCE })
    asking.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve(null)
    })
    asking.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('error', () => resolve(null))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, detail: detailOf(text) ?? '' })
      })
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(null))
    asking.end()
  })
}

export function requestOver({ protocol }: URL) {
  return protocol === 'https:' ? overHttps : overHttp
}
