import { createServer } from 'node:http'
import { listenAnywhere } from '../../../src/programs/free-port.ts'

/** Serves requests on a port of this machine. */
export async function serve(
  handle: (request: Request) => Promise<Response>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = 'GET', url = '/', headers } = incoming
      const given = Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      )
      const body = Buffer.concat(chunks)
      const init = { method, headers: given, ...(body.length > 0 ? { body } : {}) }
      void handle(new Request(`http://${headers.host}${url}`, init))
        .catch((error: unknown) => new Response(String(error), { status: 500 }))
        .then(async (response) => {
          outgoing.writeHead(response.status, Object.fromEntries(response.headers))
          outgoing.end(Buffer.from(await response.arrayBuffer()))
        })
    })
  })
  const port = await listenAnywhere(server)
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
