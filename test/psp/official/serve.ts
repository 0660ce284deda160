import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Handle = (request: Request) => Promise<Response>

const toRequest = async (incoming: IncomingMessage): Promise<Request> => {
  const { method = 'GET', url = '/', headers } = incoming
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
    ),
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) }),
  })
}

/** Serves a handler of web requests on a free port of this machine, so that clients of Node can call it. */
export const serve = (handle: Handle): Promise<{ url: string; stop: () => Promise<void> }> => {
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const response = await handle(await toRequest(incoming))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    }
    answer().catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined))
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }),
    )
  })
}
