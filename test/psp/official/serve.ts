import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Serves a fetch handler on a free port of this machine, for clients that want a real address. */
export const serve = async (
  handle: (request: Request) => Promise<Response>,
): Promise<{ url: string; stop: () => Promise<void> }> => {
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing, handle).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

const pass = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: Request) => Promise<Response>,
) => {
  const { method = 'GET', headers, url = '/' } = incoming
  const request = new Request(`http://127.0.0.1${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(await buffer(incoming)) }),
  })
  const response = await handle(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(new Uint8Array(await response.arrayBuffer()))
}
