import { randomBytes } from 'node:crypto'
import { Refusal, problemOf } from '../problem.ts'
import { requestOver } from './request-over.ts'

const PATIENCE = 10_000

/** Why a hub takes no listener: its status code, and its words. Null where it does, or where nobody answers. */
export type Refused = { status: number; detail: string }

/** Asks a hub again for a socket that could not be opened: a WebSocket does not tell what the answer was. */
export function whyRefused(socketUrl: URL, key: string): Promise<Refused | null> {
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
        resolve({ status: response.statusCode ?? 0, detail: problemOf(text, Refusal)?.detail ?? '' })
      })
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(null))
    asking.end()
  })
}
