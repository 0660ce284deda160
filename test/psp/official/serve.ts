import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Serves a fetch handler on a free port of this machine, for clients that want a real address. */
export const serve = async (
  handle: (request: Request) => Promise<Response>,
): Promise<{ url: string; stop: () => Promise<void> }> => {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const { method = 'GET', headers, url = '/' } = incoming
      const request = new Request(`http://127.0.0.1${url}`, {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
        ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(await buffer(incoming)) }),
      })
      const response = await handle(request)
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(new Uint8Array(await response.arrayBuffer()))
    } catch (error) {
      outgoing.destroy(error instanceof Error ? error : undefined)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}
