import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { serve } from '../psp/official/serve.ts'

export type Received = { id: string; job: string; status: string; lastUpdate: string }

/**
 * A shop's local receiver. It checks both signatures of the raw bytes, as a shop does, and answers 400 if one
 * is wrong. `answer` makes its other answers.
 */
export async function openReceiver(
  secret: string,
  answer: (count: number) => Response | Promise<Response> = () => new Response('ok'),
) {
  const received: Received[] = []
  const refused: string[] = []
  const server = await serve(async (request) => {
    const raw = Buffer.from(await request.arrayBuffer())
    try {
      if (new URL(request.url).pathname !== '/report') throw new Error(`no report goes to ${request.url}`)
      new Webhook(secret).verify(raw, Object.fromEntries(request.headers))
      const expected = createHmac('sha512', secret).update(raw).digest('hex')
      if (request.headers.get('x-signature') !== expected) throw new Error('X-Signature is wrong')
    } catch (error) {
      refused.push(String(error))
      return new Response(null, { status: 400 })
    }
    const job = JSON.parse(raw.toString()) as { paymentJob: string; status: string; lastUpdate: string }
    received.push({
      id: request.headers.get('webhook-id') ?? '',
      job: job.paymentJob,
      status: job.status,
      lastUpdate: job.lastUpdate,
    })
    return answer(received.length)
  })
  return { ...server, url: `${server.url}/report`, received, refused }
}
