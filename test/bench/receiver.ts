import { createServer } from 'node:http'
import { listenAnywhere } from '../../src/tools/local/free-port.ts'

/** A shop on loopback that takes every report, and counts them. */
export async function openReceiver() {
  let reports = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (request.method === 'POST') reports++
      response.end()
    })
  })
  const port = await listenAnywhere(server)
  return {
    url: `http://127.0.0.1:${port}`,
    reports: () => reports,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
