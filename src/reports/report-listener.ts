import * as v from 'valibot'
import { DurableObject } from 'cloudflare:workers'
import { DAY } from '../contract/timestamp.ts'
import { closeSocket, openSockets, sendTo } from '../platform/http/web-sockets.ts'
import { Access, KeyLimits, hasLostKey } from '../registry/profile.ts'
import { type HubFrame, CLOSED, ListenAs, LONGEST_SILENCE, AnswerFrame } from '../contract/report-frames.ts'

export const MOST_LISTENERS = 10
/** How long (ms) a listener may stay: as long as an access token is valid. */
const LONGEST_STAY = DAY

/** The most live keys that a socket can remember: the platform limits its attachment to some 2 KB. */
const MOST_KEYS = 100
/** Stands for more keys than that. No profile has it, so any newer profile ends the connection. */
const TOO_MANY = 'too many'
/** So many characters of a generation tell it from the others of its point of sale. */
const KEY_LENGTH = 8

/** When (ms) a listener's API key ends, if it does. */
const KeyEnd = v.pick(KeyLimits, ['until'])

/** The attachment of a listener's socket. Generations are shortened; too many: `TOO_MANY`. */
const Listener = v.object({ as: ListenAs, since: v.number(), access: Access, ...KeyEnd.entries })
type Listener = v.InferOutput<typeof Listener>

export function newListener(as: ListenAs, access: Access, now: number): Listener {
  const { generations } = access
  const keys =
    generations.length > MOST_KEYS ? [TOO_MANY] : generations.map((one) => one.slice(0, KEY_LENGTH))
  return { as, since: now, access: { ...access, generations: keys } }
}

type Close = { code: number; reason: string }

/**
 * Returns why to close a listener, or null: it is silent, it has stayed for a day or until its key ended, or
 * since it came a key was revoked or all tokens were ended. A listener with a good key connects again. Times are in
 * ms; `lastPing` is null before the first.
 */
export function whyGone(
  listener: Listener,
  lastPing: number | null,
  access: Access,
  now: number,
): Close | null {
  if (now - Math.max(lastPing ?? 0, listener.since) > LONGEST_SILENCE) return { code: 1001, reason: 'silent' }
  const end = Math.min(listener.since + LONGEST_STAY, listener.until ?? Infinity)
  const isStale = now > end || hasLostKey(listener.access, access)
  return isStale ? { code: CLOSED.authenticateAgain, reason: 'connect again' } : null
}

export const Connecting = v.object({ pos: v.string(), as: ListenAs, access: Access, ...KeyEnd.entries })
export type Connecting = v.InferOutput<typeof Connecting>

export const Offering = v.object({ id: v.string(), access: Access })
export type Offering = v.InferOutput<typeof Offering>

/** The header in which a Worker sends either of these. No request of a client comes here. */
export const ABOUT = 'x-about'
export const LISTENED_AS = 'x-listened-as'

/** The longest frame of a listener: an answer is short. */
const LONGEST_FRAME = 1024

const LISTENER = 'listener'
/** The tag of a try that waits for a listener's answer. Others go to their `report_url`. */
const WAITING = 'waiting'
/** The length of a listener's name, which is unique for its point of sale. */
const NAME_LENGTH = 8
function named(delivery: string): string {
  return `delivery:${delivery}`
}

/** The listeners of one shop in test mode. Each socket's attachment has its state. */
export class ReportListener extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** Accepts the socket of a listener (`/listen`), or of a try at a report (`/offer`). */
  override async fetch(request: Request): Promise<Response> {
    const about: unknown = JSON.parse(request.headers.get(ABOUT) ?? '')
    return new URL(request.url).pathname === '/listen'
      ? this.#listen(v.parse(Connecting, about))
      : this.#offer(v.parse(Offering, about))
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    if (!this.#isListener(socket)) {
      for (const listener of this.#open(LISTENER)) sendTo(listener, message)
      return
    }
    const answer = readAnswer(message)
    if (!answer) return closeSocket(socket, CLOSED.notUnderstood, 'not understood')
    if (listenerOf(socket).as !== 'answers') return
    // All tries here are of this point of sale. An answer to an ended try finds no socket.
    for (const delivery of this.#open(named(answer.delivery))) {
      if (answer.type === 'answer' || this.#wasLast(socket, delivery))
        sendTo(delivery, JSON.stringify(answer))
    }
  }

  override webSocketClose(socket: WebSocket): void {
    closeSocket(socket, 1000)
    this.#afterGoing(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.#afterGoing(socket)
  }

  #listen({ pos, as, access, ...end }: Connecting): Response {
    if (this.#live(access).length >= MOST_LISTENERS) return new Response(null, { status: 409 })
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server, [LISTENER, crypto.randomUUID().slice(0, NAME_LENGTH)])
    server.serializeAttachment({ ...newListener(as, access, Date.now()), ...end })
    sendTo(server, JSON.stringify({ type: 'ready', pos, as } satisfies HubFrame))
    return new Response(null, { status: 101, webSocket: client })
  }

  #offer({ id, access }: Offering): Response {
    const live = this.#live(access)
    if (live.length === 0) return new Response(null, { status: 204 })
    const answering = live.filter((socket) => listenerOf(socket).as === 'answers')
    const as: ListenAs = answering.length > 0 ? 'answers' : 'watches'
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server, as === 'answers' ? [named(id), WAITING] : [named(id)])
    server.serializeAttachment(answering.map((socket) => this.#nameOf(socket)) satisfies ListenerNames)
    return new Response(null, { status: 101, webSocket: client, headers: { [LISTENED_AS]: as } })
  }

  /** Returns the listeners that may stay, and closes the others. */
  #live(access: Access): WebSocket[] {
    const now = Date.now()
    return this.#open(LISTENER).filter((socket) => {
      const lastPing = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? null
      const gone = whyGone(listenerOf(socket), lastPing, access, now)
      if (gone) closeSocket(socket, gone.code, gone.reason)
      return gone === null
    })
  }

  /** Ends the tries that only this listener could still answer. */
  #afterGoing(gone: WebSocket): void {
    if (!this.#isListener(gone)) return
    for (const delivery of this.#open(WAITING)) {
      if (this.#wasLast(gone, delivery)) closeSocket(delivery, 1001, 'no listener')
    }
  }

  /** Returns whether this listener, which does not answer a try, was the last one that could. */
  #wasLast(listener: WebSocket, delivery: WebSocket): boolean {
    const own = this.#nameOf(listener)
    const open = new Set(this.#open(LISTENER).map((socket) => this.#nameOf(socket)))
    const asked = v.parse(ListenerNames, delivery.deserializeAttachment())
    const left = asked.filter((name) => name !== own && open.has(name))
    delivery.serializeAttachment(left satisfies ListenerNames)
    return asked.includes(own) && left.length === 0
  }

  #nameOf(listener: WebSocket): string {
    return this.ctx.getTags(listener)[1] ?? ''
  }

  #open(tag: string): WebSocket[] {
    return openSockets(this.ctx, tag)
  }

  #isListener(socket: WebSocket): boolean {
    return this.ctx.getTags(socket).includes(LISTENER)
  }
}

/** The attachment of a try's socket: the names of the listeners that may still answer. */
const ListenerNames = v.array(v.string())
type ListenerNames = v.InferOutput<typeof ListenerNames>

function listenerOf(socket: WebSocket): Listener {
  return v.parse(Listener, socket.deserializeAttachment())
}

const AnswerMessage = v.pipe(v.string(), v.maxLength(LONGEST_FRAME), v.parseJson(), AnswerFrame)

export function readAnswer(message: string | ArrayBuffer): AnswerFrame | null {
  const answer = v.safeParse(AnswerMessage, message)
  return answer.success ? answer.output : null
}
