import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from '../../../src/tools/local/build.ts'
import { table } from '../../../src/tools/table.ts'
import { atEnd } from '../endings.ts'
import { percentile } from '../percentiles.ts'
import { openReceiver } from '../receiver.ts'
import type { Run } from '../run.ts'
import { type Hub, startHub } from '../servers/hub.ts'
import { newFolder } from '../storages.ts'
import { type Notified, createPayment, payOnly } from '../tasks/hub-tasks.ts'
import { orderAt } from '../tasks/order.ts'
import { type Watcher, watchByEvents, watchByWaiting } from './watchers.ts'

/** "Paid" is to be on every screen so many milliseconds after the hub knows it. */
const TARGET = 300
/** Those who wait for one job, and those who wait for a job each. */
const CROWD = { full: [200, 2000], quick: [50, 200] } as const
/** Streams that are opened at once, and payments that are made at once. */
const AT_ONCE = 20
/** Customers who pay at once: more would measure how many payments the one process of a local hub can take. */
const PAYING_AT_ONCE = 2

type Heard = { what: string; watchers: number; p50: number; p95: number; p99: number; most: number }

/** `--live`: how long after the hub knows it those who wait hear that a payment is paid. True when the target is met. */
export async function runLive({ quick, tell, show, line }: Run): Promise<boolean> {
  const deadline = AbortSignal.timeout(420_000)
  const { path: folder, remove } = await newFolder('memory')
  const receiver = await openReceiver()
  await build(folder)
  const stateDir = join(folder, 'state')
  await mkdir(stateDir)
  const hub = await startHub(folder, stateDir, tell)
  const stop = atEnd(async () => {
    await hub.stop()
    await remove()
  })
  const order = orderAt(receiver.url)
  const [one, many] = quick ? CROWD.quick : CROWD.full
  const props = { hub, deadline, tell }
  const heard: Heard[] = []

  const [first, second] = await paymentsOf(hub, order, 2, deadline)
  if (!first || !second) throw new Error('no payment was made')
  heard.push(
    await measure(props, 'one job, by events', [first], () => times(one, () => byEvents(hub, first))),
  )
  const etag = await etagOf(hub, second)
  heard.push(
    await measure(props, 'one job, by Prefer: wait', [second], () =>
      times(one, () => watchByWaiting(urlOf(hub, second), hub.token, etag)),
    ),
  )
  tell(`${many} payments`)
  const payments = await paymentsOf(hub, order, many, deadline)
  heard.push(
    await measure(props, 'a job each, by events', payments, () =>
      payments.map((payment) => () => byEvents(hub, payment)),
    ),
  )
  await stop()
  receiver.close()
  show(
    `\nMilliseconds from the hub's knowing that a payment is paid to the client's, at most ${TARGET}\n\n${heardTable(heard)}\n`,
  )
  for (const each of heard) line(each)
  return heard.every(({ p99 }) => p99 <= TARGET)
}

type Props = { hub: Hub; deadline: AbortSignal; tell: (line: string) => void }

/** Has watchers wait, brings the payments to their end, and gathers when each watcher heard of it. */
async function measure(
  { hub, deadline, tell }: Props,
  what: string,
  payments: readonly Notified[],
  watchersOf: () => readonly (() => Watcher)[],
): Promise<Heard> {
  tell(what)
  const watchers: Watcher[] = []
  const opens = watchersOf()
  try {
    for (let at = 0; at < opens.length; at += AT_ONCE) {
      const opened = opens.slice(at, at + AT_ONCE).map((open) => open())
      watchers.push(...opened)
      await orLate(Promise.all(opened.map(({ ready }) => ready)), deadline)
    }
    tell(`${watchers.length} wait`)
    const end = hub.clients.drive(
      payments.length,
      Math.min(payments.length, PAYING_AT_ONCE),
      async (turn, client) => {
        const payment = payments[turn]
        if (payment) await payOnly(hub, client, payment)
      },
      deadline,
    )
    const [all, { firstError }] = await orLate(
      Promise.all([Promise.all(watchers.map(({ heard }) => heard)), end]),
      deadline,
    )
    if (firstError !== null) throw new Error(firstError)
    const delays = all.map(({ at, paidAt }) => at - paidAt).toSorted((a, b) => a - b)
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(delays, share))
    return {
      what,
      watchers: watchers.length,
      p50: p50 ?? NaN,
      p95: p95 ?? NaN,
      p99: p99 ?? NaN,
      most: delays.at(-1) ?? NaN,
    }
  } finally {
    for (const watcher of watchers) watcher.close()
  }
}

function times(count: number, open: () => Watcher): (() => Watcher)[] {
  return Array.from({ length: count }, () => open)
}
function urlOf(hub: Hub, { id }: Notified): string {
  return `${hub.url}/v2/paymentjobs/${id}`
}
function byEvents(hub: Hub, payment: Notified): Watcher {
  return watchByEvents(urlOf(hub, payment), hub.token)
}

async function etagOf(hub: Hub, payment: Notified): Promise<string> {
  const response = await fetch(urlOf(hub, payment), { headers: { authorization: `Bearer ${hub.token}` } })
  await response.text()
  return response.headers.get('etag') ?? ''
}

/** Payments that their customers have begun, and not ended. */
async function paymentsOf(
  hub: Hub,
  order: string,
  count: number,
  deadline: AbortSignal,
): Promise<Notified[]> {
  const payments: Notified[] = []
  const { firstError } = await hub.clients.drive(
    count,
    Math.min(count, AT_ONCE),
    async (_, client) => void payments.push(await createPayment(hub, client, order, 'open')),
    deadline,
  )
  if (firstError !== null) throw new Error(firstError)
  return payments
}

/** What work brings, unless the run is out of time before. */
async function orLate<Value>(work: Promise<Value>, deadline: AbortSignal): Promise<Value> {
  const late = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(new Error('out of time')), { once: true })
  })
  late.catch(() => {})
  return Promise.race([work, late])
}

function heardTable(heard: readonly Heard[]): string {
  return table(
    ['who waits', 'watchers', 'p50 ms', 'p95 ms', 'p99 ms', 'longest', ''],
    heard.map(({ what, watchers, p50, p95, p99, most }) => [
      what,
      String(watchers),
      p50.toFixed(0),
      p95.toFixed(0),
      p99.toFixed(0),
      most.toFixed(0),
      p99 <= TARGET ? '✓' : '✗',
    ]),
  )
}
