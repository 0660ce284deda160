import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/** `body` is the report as it came in, before JSON.parse. */
const isGenuine = (body: Buffer, xSignature: string): boolean => {
  const hmac = createHmac('sha512', process.env.SIGNING_SECRET ?? '').update(body)
  const [expected, given] = [Buffer.from(hmac.digest('hex')), Buffer.from(xSignature)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  if (!isGenuine(body, String(request.headers['x-signature']))) {
    response.writeHead(401).end()
    return
  }
  const job = JSON.parse(body.toString()) as { orderNumber: string; status: string }
  console.log(job.orderNumber, job.status) // Save this before you answer.
  response.writeHead(204).end()
}).listen(3000)
