import { createHmac, timingSafeEqual } from 'node:crypto'
import { type IncomingHttpHeaders, createServer } from 'node:http'

const SECRET = Buffer.from(process.env.SIGNING_SECRET ?? '', 'base64')

/** The HMAC-SHA256 of id.timestamp.body, within five minutes of now. `body` is as it came in, before JSON.parse. */
const isGenuine = (headers: IncomingHttpHeaders, body: Buffer): boolean => {
  const [id, at, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  )
  if (!/^\d+$/.test(at) || Math.abs(Date.now() / 1000 - Number(at)) > 300) return false
  const digest = createHmac('sha256', SECRET).update(`${id}.${at}.`).update(body).digest('base64')
  const expected = Buffer.from(`v1,${digest}`)
  const given = signatures.split(' ').map((one) => Buffer.from(one))
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401).end()
    return
  }
  const job = JSON.parse(body.toString()) as { orderNumber: string; status: string }
  console.log(job.orderNumber, job.status) // Save this before you answer.
  response.writeHead(204).end()
}).listen(3000)
