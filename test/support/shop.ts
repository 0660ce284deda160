import { createServer } from 'node:http'
import { listenAnywhere } from '../../src/tools/local/free-port.ts'

type ReceivedReport = { headers: Record<string, string>; body: string }

/**
 * A shop on loopback, as the demo needs one: it takes reports, and thanks the customer who comes
 * back.
 */
export async function openShop() {
  const waiting = Promise.withResolvers<ReceivedReport>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (request.url === '/report') {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
        waiting.resolve({ headers: Object.fromEntries(headers), body })
      }
      response.end('Thank you!\n')
    })
  })
  const port = await listenAnywhere(server)
  return {
    url: `http://localhost:${port}`,
    report: waiting.promise,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
