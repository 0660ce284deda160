import { vi } from 'vitest'
import * as v from 'valibot'
import { HubFrame } from '../../../src/contract/report-frames.ts'
import { send } from '../hub/hub.ts'

type Answering = (frame: Extract<HubFrame, { type: 'report' }>) => object | string | null

/** Requests a listener's socket as a program does, with a token or an API key in a header. */
export function askToListen(
  key: string,
  as = 'answers',
  headers: Record<string, string> = {},
): Promise<Response> {
  return send(`/v2/reports/listen?as=${as}`, {
    headers: { upgrade: 'websocket', authorization: `Bearer ${key}`, ...headers },
  })
}

/** Connects a listener. `frames` has everything that the hub sent; `answering` answers each report. */
export async function listen(
  key: string,
  { as = 'answers', answering = () => null }: { as?: string; answering?: Answering } = {},
) {
  const response = await askToListen(key, as)
  const { webSocket } = response
  if (!webSocket) throw new Error(`expected a socket, got ${response.status}: ${await response.text()}`)
  const frames: HubFrame[] = []
  const closed = Promise.withResolvers<number>()
  webSocket.addEventListener('message', ({ data }) => {
    const frame = v.parse(HubFrame, JSON.parse(String(data)))
    frames.push(frame)
    const answer = frame.type === 'report' ? answering(frame) : null
    if (answer !== null) webSocket.send(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  webSocket.addEventListener('close', ({ code }) => closed.resolve(code))
  webSocket.accept()
  const of = <Type extends HubFrame['type']>(type: Type) =>
    frames.filter((frame): frame is Extract<HubFrame, { type: Type }> => frame.type === type)
  const until = <Type extends HubFrame['type']>(type: Type, many = 1) =>
    vi.waitFor(() => {
      const found = of(type)
      if (found.length < many) throw new Error(`${found.length} of ${many} ${type}`)
      return found
    }, 20_000)
  await until('ready')
  return {
    frames,
    of,
    until,
    closed: closed.promise,
    send: (data: string | ArrayBuffer) => webSocket.send(data),
    close: (code = 1000) => webSocket.close(code, ''),
  }
}

/** Answers each report with the HTTP status of a shop's receiver. */
export function answered(status: number, more: object = {}): Answering {
  return ({ delivery }) => ({ type: 'answer', delivery, status, ...more })
}
