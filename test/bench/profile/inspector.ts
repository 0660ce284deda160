import * as v from 'valibot'
import { WebSocket } from 'undici'

const Reply = v.object({ id: v.number(), result: v.optional(v.unknown()) })
const Targets = v.tupleWithRest([v.object({ webSocketDebuggerUrl: v.string() })], v.unknown())

/** Fewer samples fit one message of the protocol, and are enough: one each half a millisecond. */
const INTERVAL_MICROS = 500

/**
 * Takes a CPU profile of a runtime while `work` goes on, over the DevTools protocol: https://chromedevtools.github.io/devtools-protocol/v8/Profiler/
 */
export async function profileWhile(inspector: URL, work: () => Promise<unknown>): Promise<unknown> {
  const targets = v.parse(Targets, await (await fetch(`http://${inspector.host}/json`)).json())
  // Miniflare takes a client that names itself only from an origin of its own machine.
  const socket = new WebSocket(targets[0].webSocketDebuggerUrl, { headers: { origin: 'http://localhost' } })
  const waiting = new Map<number, (result: unknown) => void>()
  let last = 0
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', ({ message }) => reject(new Error(`the inspector said: ${message}`)))
  })
  socket.addEventListener('message', ({ data }) => {
    const reply = v.safeParse(Reply, JSON.parse(String(data)))
    if (reply.success) waiting.get(reply.output.id)?.(reply.output.result)
  })
  const send = (method: string, params = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, resolve)
      socket.addEventListener('close', ({ code, reason }) =>
        reject(new Error(`the inspector hung up: ${code} ${reason}`)),
      )
      socket.send(JSON.stringify({ id, method, params }))
    })
  await send('Profiler.enable')
  await send('Profiler.setSamplingInterval', { interval: INTERVAL_MICROS })
  await send('Profiler.start')
  await work()
  const { profile } = v.parse(v.object({ profile: v.unknown() }), await send('Profiler.stop'))
  socket.close()
  return profile
}
