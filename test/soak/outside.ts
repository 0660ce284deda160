import { createServer } from 'node:http'
import { listenAnywhere } from '../../src/tools/local/free-port.ts'
import { serve } from '../psp/official/serve.ts'
import { mollieFake } from '../support/psps/mollie.ts'

type Report = { paymentJob: string; status: string; amountPaid: string }

function pause(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** In so many of a hundred calls the outside fails, and in as many it is slow. */
const FAILS = 8
const IS_SLOW = 4
const SLOW = 2500

function draw(): 'fails' | 'is slow' | 'works' {
  const drawn = Math.random() * 100
  return drawn < FAILS ? 'fails' : drawn < FAILS + IS_SLOW ? 'is slow' : 'works'
}

/** A PSP behind a port, which fails now and then until it `mends`. */
export async function openPsp() {
  const fake = mollieFake()
  let isFaulty = true
  const server = await serve(async (request) => {
    const now = isFaulty ? draw() : 'works'
    if (now === 'fails') return new Response('<h1>Bad Gateway</h1>', { status: 502 })
    if (now === 'is slow') await pause(SLOW)
    return fake.handle(request)
  })
  return { ...server, fake, mends: () => void (isFaulty = false) }
}

/**
 * A shop's receiver behind a port. It fails a try of a report now and then, though not twice the
 * reports of a job: the schedule of its retries is not what is tried here.
 */
export async function openReceiver() {
  const last = new Map<string, Report>()
  const failed = new Set<string>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => void take(body).then((status) => response.writeHead(status).end()))
  })
  const take = async (body: string): Promise<number> => {
    if (body === '') return 200
    const report = JSON.parse(body) as Report
    const now = failed.has(report.paymentJob) ? 'works' : draw()
    if (now !== 'works') failed.add(report.paymentJob)
    if (now === 'fails') return 500
    if (now === 'is slow') await pause(SLOW)
    last.set(report.paymentJob, report)
    return 200
  }
  const port = await listenAnywhere(server)
  return {
    url: `http://localhost:${port}`,
    last: (job: string) => last.get(job),
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
