import { Agent, type IncomingMessage, get } from 'node:http'

/** A client that waits for a job. `heard` is when (ms) it learnt that the job is paid, by the clock, and when the hub knew it. */
export type Watcher = {
  ready: Promise<void>
  heard: Promise<{ at: number; paidAt: number }>
  close: () => void
}

/** Each watcher has a connection of its own. */
const agent = new Agent({ keepAlive: false, maxSockets: Infinity })

/** Reads the events of a job until one step says that it is paid. Ready once the first event has come. */
export function watchByEvents(url: string, token: string): Watcher {
  const ready = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<{ at: number; paidAt: number }>()
  let text = ''
  const request = get(url, {
    agent,
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  })
  const fail = (error: Error) => {
    ready.reject(error)
    heard.reject(error)
  }
  request.on('error', fail)
  request.on('response', (response: IncomingMessage) => {
    if (response.statusCode !== 200) return fail(new Error(`a stream was answered ${response.statusCode}`))
    response.setEncoding('utf8')
    response.on('error', fail)
    response.on('end', () => fail(new Error('a stream has ended')))
    response.on('data', (part: string) => {
      const at = Date.now()
      text += part
      if (text.includes('event: paymentjob')) ready.resolve()
      const paid = /^event: step\ndata: (.*"status":"SUCCESS".*)$/m.exec(text)?.[1]
      if (paid !== undefined) heard.resolve({ at, paidAt: timeOf(JSON.parse(paid) as Step) })
    })
  })
  heard.promise.catch(() => {})
  return { ready: ready.promise, heard: heard.promise, close: () => request.destroy() }
}

/** Waits for a change of a job. Whether it waits already nobody can tell, so it says what it has: no change is missed. */
export function watchByWaiting(url: string, token: string, etag: string): Watcher {
  const heard = Promise.withResolvers<{ at: number; paidAt: number }>()
  const headers = { authorization: `Bearer ${token}`, prefer: 'wait=60', 'if-none-match': etag }
  const request = get(url, { agent, headers })
  request.on('error', heard.reject)
  request.on('response', (response: IncomingMessage) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => void (text += part))
    response.on('end', () => {
      const at = Date.now()
      if (response.statusCode !== 200)
        return heard.reject(new Error(`a wait was answered ${response.statusCode}`))
      const { payments } = JSON.parse(text) as { payments: { steps: Step[] } }
      const paid = payments.steps.find(({ status }) => status === 'SUCCESS')
      if (paid) heard.resolve({ at, paidAt: timeOf(paid) })
      else heard.reject(new Error('a wait ended before the payment was paid'))
    })
  })
  heard.promise.catch(() => {})
  return { ready: Promise.resolve(), heard: heard.promise, close: () => request.destroy() }
}

type Step = { status: string; creationDate: string }

/** When (ms) the hub recorded a step. */
function timeOf({ creationDate }: Step): number {
  return Date.parse(creationDate)
}
