import { createServer } from 'node:http'
import { listenAnywhere } from '../../src/programs/free-port.ts'

type ReportBody = { paymentJob: string; status: string; amountPaid: string }
/** A received report and its content. */
type Report = ReportBody & { path: string; at: number; headers: Record<string, string>; body: string }

/** Local shops, each of which receives reports at its own path. */
export async function openShops() {
  const reports: Report[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      // Only complete reports count as accepted.
      if (request.method === 'POST') {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
        const sent = { path, at: Date.now(), headers: Object.fromEntries(headers) as Report['headers'], body }
        reports.push({ ...(JSON.parse(body) as ReportBody), ...sent })
      }
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
