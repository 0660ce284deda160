import { MINUTE } from '../contract/timestamp.ts'
import { hangUpOnLate } from '../platform/http/web-sockets.ts'
import { callJob } from './call-job.ts'
import { type JobSnapshot, readMessage } from './job-snapshot.ts'
import { unlessAborted } from '../platform/deadline.ts'
import { PING, PONG, PURGED } from './watchers.ts'

/** A job to watch, for its point of sale (`pos`) or for a customer `from` some networks. */
export type WatchedJob = { id: string; pos?: string; from?: readonly string[] }

/** A socket to a job's object. `next` is `gone` when the job is; after `cut` another may work. */
export type Link = {
  is: 'open'
  now: JobSnapshot
  next: () => Promise<JobSnapshot | 'gone' | 'cut'>
  close: () => void
}

/** The interval (ms) of pings to the object. Two without an answer mean that it is gone. */
export const PING_EVERY = MINUTE / 2

/**
 * Opens a socket to a job's object, and waits for the first snapshot. Null for an unknown id or
 * another shop's job; `unwatchable` if the socket ends before that. Throws once the signal aborts,
 * and then leaves no socket open.
 */
export async function openLink(
  env: Env,
  { id, pos, from = [] }: WatchedJob,
  signal: AbortSignal,
): Promise<Link | { is: 'too-many' } | { is: 'unwatchable' } | null> {
  const who = new URLSearchParams(pos === undefined ? from.map((network) => ['from', network]) : { pos })
  const asking = callJob(env, id, (stub) =>
    stub.fetch(`https://job/?${who}`, { headers: { upgrade: 'websocket' } }),
  )
  const response = await unlessAborted(signal, asking, () => hangUpOnLate(asking))
  if (response.status === 404) return null
  if (response.status === 429) return { is: 'too-many' }
  if (!response.webSocket) return { is: 'unwatchable' }
  const { next, close } = readSocket(response.webSocket)
  const now = await unlessAborted(signal, next(), close)
  if (typeof now === 'object') return { is: 'open', now, next, close }
  return { is: 'unwatchable' }
}

/** Reads a socket. Keeps only the newest snapshot that nobody has taken yet. */
function readSocket(socket: WebSocket): Pick<Link, 'next' | 'close'> {
  let newest: JobSnapshot | null = null
  let ended: 'gone' | 'cut' | null = null
  let news = Promise.withResolvers<void>()
  let unanswered = 0

  const end = (how: 'gone' | 'cut'): void => {
    clearInterval(pings)
    ended ??= how
    news.resolve()
  }
  const leave = (how: 'gone' | 'cut'): void => {
    if (ended === null) socket.close(1000)
    end(how)
  }
  const pings = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN && unanswered++ < 2) socket.send(PING)
    else leave('cut')
  }, PING_EVERY)

  socket.addEventListener('message', ({ data }) => {
    unanswered = 0
    if (data === PONG) return
    const snapshot = readMessage(data)
    // Another release sent it: the caller then reads the job without waiting.
    if (!snapshot) return leave('cut')
    newest = snapshot
    news.resolve()
  })
  socket.addEventListener('close', ({ code }) => end(code === PURGED ? 'gone' : 'cut'))
  socket.addEventListener('error', () => end('cut'))
  socket.accept()

  const next = async (): Promise<JobSnapshot | 'gone' | 'cut'> => {
    if (newest === null && ended === null) await news.promise
    news = Promise.withResolvers()
    const taken = newest ?? ended ?? 'cut'
    newest = null
    return taken
  }
  return { next, close: () => leave('gone') }
}
