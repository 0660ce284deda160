import { createServer } from 'node:http'
import { listenAnywhere } from '../../src/tools/local/free-port.ts'

export type Report = { paymentJob: string; status: string; amountPaid: string }

/** Shops on loopback: each takes reports at its own path. */
export async function openShops() {
  const reports: (Report & { path: string; at: number })[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      // Only what came in whole was accepted.
      if (request.method === 'POST') reports.push({ ...(JSON.parse(body) as Report), path, at: Date.now() })
      response.end('Thank you!\n')
    })
  })
  const port = await listenAnywhere(server)
  return {
    url: `http://localhost:${port}`,
    reports,
    of: (job: string) => reports.filter(({ paymentJob }) => paymentJob === job),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
