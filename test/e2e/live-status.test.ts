import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { blocksOf, read } from '../docs/documents.ts'
import { type Events, type SeenEvent, readEvents } from '../support/events.ts'
import { type Pos, choose, next, openPos } from './clients.ts'

/**
 * Generous: the target is 300 ms, and this machine does other things. `npm run bench -- --live`
 * measures.
 */
const PROMPT = 1500
/** Customers who may watch a job. */
const MOST_CUSTOMERS = 200

const hub = inject('hub')
const hasCurl = spawnSync('curl', ['--version']).status === 0
let pos: Pos
beforeAll(async () => {
  pos = await openPos(hub.url, hub.secrets['OPERATOR_TOKEN'])
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
    const job = await pos.create('http://localhost:9', '/report', 3)
    const paid = (await sample('waitForPayment'))(hub.url, pos.token, job.paymentJob)
    await next(await choose(job.payUrl, 'paid'))
    expect(await paid).toMatchObject({ paymentJob: job.paymentJob, status: 'SUCCESS' })
  })

  it('wait for a payment: the one that reads the events', async () => {
    const job = await pos.create('http://localhost:9', '/report', 4)
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
    const job = await pos.create('http://localhost:9', '/report', 5)
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

type Step = { action: string; status: string; creationDate: string }

it('three who watch a payment hear that it is paid, promptly and in order', async () => {
  const job = await pos.create('http://localhost:9', '/report', 1)
  const path = `/v2/paymentjobs/${job.paymentJob}`
  const first = await ask(path)
  const etag = first.headers.get('etag') ?? ''
  await first.body?.cancel()

  const till = readEvents(await ask(path, { accept: 'text/event-stream' }))
  const customer = readEvents(await fetch(`${receiptOf(job)}/events`))
  const watching = [await nextOf(till), await nextOf(customer)]
  expect(watching.map(({ event }) => event)).toEqual(['step', 'status'])
  const waiting = ask(path, { prefer: 'wait=60', 'if-none-match': etag })
  /** The steps that each hears of, and when (ms). */
  const heard = Promise.all([
    waiting.then(async (response) => {
      const heardAt = Date.now()
      const { payments } = (await response.json()) as { payments: { steps: Step[] } }
      return { steps: payments.steps.slice(1), heardAt }
    }),
    untilPaid(till, 'step').then((steps) => ({ steps, heardAt: Date.now() })),
  ])
  const told = untilPaid(customer, 'status')
  await next(await choose(job.payUrl, 'paid'))

  for (const { steps, heardAt } of await heard) {
    expect(steps).toMatchObject([{ action: 'Return', status: 'SUCCESS' }])
    expect(heardAt - Date.parse(steps[0]?.creationDate ?? '')).toBeLessThan(PROMPT)
  }
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

it(
  'customers who vanish make room within a minute, and who stays hears of the payment all the same',
  { timeout: 90_000 },
  async () => {
    const job = await pos.create('http://localhost:9', '/report', 2)
    const path = new URL(`${receiptOf(job)}/events`).pathname
    const stays = readEvents(await ask(`/v2/paymentjobs/${job.paymentJob}`, { accept: 'text/event-stream' }))
    const gone = new AbortController()
    const crowd = await Promise.all(Array.from({ length: MOST_CUSTOMERS }, () => ask(path, {}, gone.signal)))
    expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await ask(path)
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too-many-watchers' }])

    gone.abort()
    const room = async () => {
      const response = await ask(path)
      await response.body?.cancel()
      return response.status
    }
    // Who has gone is noticed when the next comment cannot be written. The object has been at rest
    // for longer by then.
    await expect.poll(room, { timeout: 60_000, interval: 2000 }).toBe(200)

    await next(await choose(job.payUrl, 'paid'))
    expect(await untilPaid(stays, 'paymentjob')).toMatchObject([{ status: 'PENDING' }, { status: 'SUCCESS' }])
    expect(stays.others.filter((other) => other === ':').length).toBeGreaterThan(0)
    await stays.cancel()
  },
)
