import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { blocksOf, read } from '../docs/documents.ts'
import { type Events, type SeenEvent, readEvents } from '../support/events.ts'
import { type Pos, choose, next, openPos } from './clients.ts'

const hub = inject('hub')
const hasCurl = spawnSync('curl', ['--version']).status === 0
let pos: Pos
beforeAll(async () => {
  pos = await openPos(hub)
})

function ask(path: string, headers: Record<string, string> = {}, signal?: AbortSignal) {
  return fetch(hub.url + path, {
    headers: { authorization: `Bearer ${pos.token}`, ...headers },
    ...(signal ? { signal } : {}),
  })
}

function receiptOf({ payUrl }: { payUrl: string }): string {
  return payUrl.replace('/pay/', '/receipt/')
}

/** A function of the samples of docs/pos/live-status.md, as a reader copies it. */
async function sample(name: string): Promise<(...args: unknown[]) => Promise<unknown>> {
  const code = blocksOf(read('docs/pos/live-status.md'), 'js').find((block) =>
    block.includes(`function ${name}(`),
  )
  const module = (await import(
    `data:text/javascript,${encodeURIComponent(`${code}export { ${name} }`)}`
  )) as Record<string, (...args: unknown[]) => Promise<unknown>>
  const found = module[name]
  if (!found) throw new Error(`there is no sample ${name}`)
  return found
}

describe('the samples of the documents', () => {
  it('wait for a payment: the one that waits for a change', async () => {
    const job = await pos.create('http://localhost:9')
    const paid = (await sample('waitForPayment'))(hub.url, pos.token, job.paymentJob)
    await next(await choose(job.payUrl, 'paid'))
    expect(await paid).toMatchObject({ paymentJob: job.paymentJob, status: 'SUCCESS' })
  })

  it('wait for a payment: the one that reads the events', async () => {
    const job = await pos.create('http://localhost:9')
    const seen: string[] = []
    const first = Promise.withResolvers<void>()
    const onJob = ({ status }: { status: string }) => {
      seen.push(status)
      first.resolve()
    }
    const paid = (await sample('watchPayment'))(hub.url, pos.token, job.paymentJob, onJob)
    await first.promise
    await next(await choose(job.payUrl, 'paid'))
    await paid
    expect(seen).toEqual(['PENDING', 'SUCCESS'])
  })

  it.skipIf(!hasCurl)('wait for a payment: those in curl', async () => {
    const job = await pos.create('http://localhost:9')
    await next(await choose(job.payUrl, 'paid'))
    for (const block of blocksOf(read('docs/pos/live-status.md'), 'sh')) {
      const script = block
        .replace('https://hub.example.com', hub.url)
        .replace('/ID ', `/${job.paymentJob} `)
        .replace('curl ', 'curl --max-time 2 ')
      const { stdout } = spawnSync('bash', ['-c', script], {
        env: { ...process.env, TOKEN: pos.token },
        encoding: 'utf8',
      })
      expect(stdout).toContain('"status":"SUCCESS"')
    }
  })
})

type Step = { action: string; status: string }

it('three who watch a payment hear that it is paid, in order', async () => {
  const job = await pos.create('http://localhost:9')
  const path = `/v2/paymentjobs/${job.paymentJob}`
  const first = await ask(path)
  const etag = first.headers.get('etag') ?? ''
  await first.body?.cancel()

  const till = readEvents(await ask(path, { accept: 'text/event-stream' }))
  const customer = readEvents(await fetch(`${receiptOf(job)}/events`))
  const watching = [await nextOf(till), await nextOf(customer)]
  expect(watching.map(({ event }) => event)).toEqual(['step', 'status'])
  const waiting = ask(path, { prefer: 'wait=60', 'if-none-match': etag })
  const heard = Promise.all([
    waiting.then(async (response) => {
      const { payments } = (await response.json()) as { payments: { steps: Step[] } }
      return payments.steps.slice(1)
    }),
    untilPaid(till, 'step'),
  ])
  const told = untilPaid(customer, 'status')
  await next(await choose(job.payUrl, 'paid'))

  for (const steps of await heard) expect(steps).toMatchObject([{ action: 'Return', status: 'SUCCESS' }])
  expect(await told).toMatchObject([{ status: 'SUCCESS' }])
  await Promise.all([till.cancel(), customer.cancel()])
})

async function nextOf(events: Events): Promise<SeenEvent> {
  const event = await events.next()
  if (event === null) throw new Error('the stream has ended')
  return event
}

/** What the events of a kind tell, up to the one that says that the payment is paid. */
async function untilPaid(events: Events, kind: string): Promise<Step[]> {
  const told: Step[] = []
  while (told.at(-1)?.status !== 'SUCCESS') {
    const { event, data } = await nextOf(events)
    if (event === kind) told.push(JSON.parse(data) as Step)
  }
  return told
}
