import { createHmac, randomUUID } from 'node:crypto'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { keepDigits } from '../../../src/contract/sent-number.ts'
import { readOrder } from '../../../src/pos-api/order.ts'
import { formatAmount } from '../../../src/contract/money.ts'
import { formatMicros } from '../../../src/contract/timestamp.ts'
import { openStore, type Pos, type StoredJob } from './fastify-store.ts'
import { startPostgres } from './postgres.ts'

/**
 * The yardstick of a usual service: Fastify and PostgreSQL, which create and read a job with the hub's checks and
 * answers. It announces nothing at a PSP, and has no alarms: it does less. A process of its own, with the arguments
 * `programs` and `folder` of PostgreSQL; both end when the bench does.
 */
async function serve(programs: string, folder: string): Promise<void> {
  const postgres = await startPostgres(programs, folder)
  const store = await openStore(postgres.socketDir, postgres.user)
  process.once('disconnect', () => {
    void store
      .close()
      .then(postgres.stop)
      .finally(() => process.exit())
  })
  const app = fastify()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    done(null, JSON.parse(String(body), keepDigits))
  })
  const posOf = async ({ headers: { authorization } }: FastifyRequest): Promise<Pos | null> =>
    store.posOf(/^Bearer ([0-9a-f]{160})$/.exec(authorization ?? '')?.[1] ?? '')

  app.post('/v2/paymentjobs', async (request, reply) => {
    const pos = await posOf(request)
    if (!pos) return reply.code(401).send({ error: 'unauthenticated' })
    const body = request.body as Record<string, unknown>
    const read = readOrder(body, { own: [request.hostname], loopback: true })
    if (!read.ok) return reply.code(422).send(read.error)
    const order = read.value
    const job = { id: randomUUID(), transactionId: randomUUID(), order, now: Date.now() * 1000 }
    await store.createJob(pos, job)
    return signed(reply.code(201), pos, represent({ ...job, created: job.now }, url, 0))
  })

  app.get<{ Params: { id: string } }>('/v2/paymentjobs/:id', async (request, reply) => {
    const pos = await posOf(request)
    if (!pos) return reply.code(401).send({ error: 'unauthenticated' })
    const job = await store.readJob(request.params.id, pos)
    if (!job) return reply.code(404).send({ error: 'not-found' })
    return signed(reply, pos, represent(job, url, '0.00'))
  })

  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.({ url, token: await store.issueToken(), postgres: postgres.pid })
}

function signed(reply: FastifyReply, { secret }: Pos, content: object): FastifyReply {
  const body = JSON.stringify(content)
  const signature = createHmac('sha512', secret).update(body).digest('hex')
  return reply.headers({ 'content-type': 'application/json', 'x-signature': signature }).send(body)
}

function represent({ id, transactionId, order, created }: StoredJob, url: string, amountPaid: 0 | string) {
  const at = formatMicros(created)
  const amounts = { amountDue: formatAmount(order.amount, order.currency), amountPaid: '0.00' }
  const start = { creationDate: at, transactionId, action: 'Start', status: 'PENDING', ...amounts }
  return {
    paymentJob: id,
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    created: at,
    lastUpdate: at,
    language: order.language,
    currency: order.currency,
    ...amounts,
    amountPaid,
    paymentMethod: order.paymentMethod,
    status: 'PENDING',
    payUrl: `${url}/pay/${id}`,
    attributes: { returnUrl: order.returnUrl, reportUrl: order.reportUrl },
    payments: {
      ...(amountPaid === 0 ? {} : { creationDate: at, status: 'PENDING', ...amounts }),
      steps: [start],
    },
    error: null,
  }
}

const [programs = '', folder = ''] = process.argv.slice(2)
await serve(programs, folder)
