import type { Caller, Profile } from '../registry/profile.ts'
import { hangUpOnLate } from '../platform/http/web-sockets.ts'
import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { namedObject } from '../platform/named-object.ts'
import type { AnswerFrame, ListenAs, ReportFrame, ResultFrame } from '../contract/report-frames.ts'
import { ABOUT, type Connecting, LISTENED_AS, type Offering, readAnswer } from './report-listener.ts'

/** How long (ms) the object of a point of sale may take to say whether it has listeners. */
const PATIENCE = 3000

/** Connects a listener in test mode. `full`: too many. `unavailable`: no answer. */
export async function connectListener(
  env: Env,
  { pos, access, until }: Caller,
  as: ListenAs,
): Promise<WebSocket | 'full' | 'unavailable'> {
  const about: Connecting = { pos, as, access, ...(until === undefined ? {} : { until }) }
  try {
    const { webSocket } = await ask(env, pos, '/listen', about)
    return webSocket ?? 'full'
  } catch (error) {
    log.fault('report.listener-unasked', error, { pos })
    return 'unavailable'
  }
}

/** A try at a report that a listener sees. */
export type Offer = {
  as: ListenAs
  show: (frame: ReportFrame | ResultFrame) => void
  /** Returns the first answer of a listener; null if the last listener has gone, or the signal aborted. */
  answer: (deadline: AbortSignal) => Promise<AnswerFrame | null>
  end: () => void
}

/** Offers a try at a report to listeners. Null if there are none: the report goes to its `report_url`. */
export async function offerReport(
  env: Env,
  { pos, access }: Pick<Profile, 'pos' | 'access'>,
  id: string,
): Promise<Offer | null> {
  try {
    const about: Offering = { id, access }
    const { webSocket, headers } = await ask(env, pos, '/offer', about)
    return webSocket && offer(webSocket, id, headers.get(LISTENED_AS) === 'answers' ? 'answers' : 'watches')
  } catch (error) {
    log.fault('report.listener-unasked', error, { pos })
    return null
  }
}

async function ask(env: Env, pos: string, path: string, about: object): Promise<Response> {
  const asking = namedObject(env, env.REPORT_LISTENER, pos).fetch(`https://report-listener${path}`, {
    headers: { upgrade: 'websocket', [ABOUT]: JSON.stringify(about) },
  })
  const response = await within(PATIENCE, asking)
  if (response) return response
  hangUpOnLate(asking)
  throw new Error('the listeners did not answer in time')
}

function offer(socket: WebSocket, id: string, as: ListenAs): Offer {
  const first = Promise.withResolvers<AnswerFrame | null>()
  socket.addEventListener('message', ({ data }) => {
    const answer = readAnswer(data)
    // An answer to another try must not count for this one.
    if (answer?.delivery === id) first.resolve(answer)
  })
  for (const event of ['close', 'error'] as const) socket.addEventListener(event, () => first.resolve(null))
  socket.accept()
  return {
    as,
    show: (frame) => {
      try {
        socket.send(JSON.stringify(frame))
      } catch {
        first.resolve(null)
      }
    },
    answer: (deadline) => {
      deadline.addEventListener('abort', () => first.resolve(null))
      return first.promise
    },
    end: () => socket.close(1000, ''),
  }
}
