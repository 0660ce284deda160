import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { PULLS_APART } from '../../../src/job/rules/pull-turn.ts'
import { type JobJson, type Pos, create, order, payAs, send, tokenFor } from '../../support/hub.ts'
import { objectOf, ringNext, ringUntilFinal, stored, untilNothingIsDue } from '../../support/job.ts'
import { answered, listen } from '../../support/listener.ts'
import { operate } from '../../support/operator.ts'
import { BROKEN, GONE, pass } from './world.ts'

/** A shop in test mode that plays payments: `token` is the one that it has now. */
type Shop = { pos: Pos; token: string }

/** Creates a job whose order number is its name in capitals. */
async function begin({ token }: Shop, name: string, changes: object = {}, headers = {}): Promise<JobJson> {
  const wanted = { ...order, order_number: name.toUpperCase(), ...changes }
  const response = await create(token, wanted, headers)
  if (response.status !== 201) throw new Error(`no job ${name}: ${await response.text()}`)
  return response.json()
}

async function paid(shop: Shop, name: string, changes: object = {}, headers = {}): Promise<string> {
  const { payUrl, paymentJob } = await begin(shop, name, changes, headers)
  await payAs(payUrl, 'paid')
  return paymentJob
}

async function chosen(shop: Shop, name: string, outcome: string): Promise<string> {
  const { payUrl, paymentJob } = await begin(shop, name)
  await payAs(payUrl, outcome)
  return paymentJob
}

async function referenceOf(id: string): Promise<string> {
  const { announcement } = await stored(id)
  if (announcement.is !== 'announced') throw new Error(`the job ${id} is not announced`)
  return announcement.reference
}

/** Lets something happen to the payment of a job at the sandbox. */
async function act(id: string, action: string, body: object = {}): Promise<void> {
  const path = `/sandbox/payments/${await referenceOf(id)}/${action}`
  const response = await send(path, { method: 'POST', body: JSON.stringify(body) })
  if (response.status !== 200) throw new Error(`${action}: ${await response.text()}`)
}

/** The sandbox tells the hub all that has become of a payment. */
async function notify(id: string): Promise<void> {
  const payment = env.SANDBOX_PAYMENT.getByName(await referenceOf(id))
  do {
    pass(PULLS_APART)
    await runDurableObjectAlarm(payment)
  } while ((await payment.read())?.notify)
}

async function refund({ token }: Shop, id: string, amount: string): Promise<void> {
  const response = await send(`/v2/paymentjobs/${id}/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount }),
  })
  if (response.status !== 201) throw new Error(`no refund: ${await response.text()}`)
}

function untilTried(id: string) {
  return vi.waitFor(async () => {
    if (((await stored(id)).reports.at(-1)?.attempts.length ?? 0) === 0) throw new Error('it was not tried')
  })
}

/** A job of long ago, of which a key is left. */
export async function playPurged(pos: Pos): Promise<string> {
  const shop = { pos, token: await tokenFor(pos) }
  const id = await paid(shop, 'purged', {}, { 'idempotency-key': 'key-purged' })
  await untilNothingIsDue(id)
  return id
}

/** Jobs that took longer than a customer has patience. */
export async function playSlowJobs(pos: Pos) {
  const shop = { pos, token: await tokenFor(pos) }
  const expired = (await begin(shop, 'expired')).paymentJob
  await ringUntilFinal(expired)
  const late = await chosen(shop, 'late', 'late')
  pass(60_000)
  await notify(late)
  const dead = await paid(shop, 'dead', { report_url: BROKEN })
  for (let tries = 1; (await stored(dead)).reports[0]?.state === 'waiting'; tries++) {
    await vi.waitFor(async () => {
      const [report] = (await stored(dead)).reports
      if ((report?.attempts.length ?? 0) < tries) throw new Error('it was not tried')
    })
    if ((await stored(dead)).reports[0]?.state === 'waiting') await ringNext(dead)
  }
  return { expired, late, dead }
}

/** Jobs of the last minutes. */
export async function playTestShop(pos: Pos) {
  const shop = { pos, token: await tokenFor(pos) }
  const refunded = await paid(shop, 'refunded')
  await refund(shop, refunded, '2.50')
  pass(31_000)
  await ringNext(refunded)
  await refund(shop, refunded, '3.00')
  const refundFailed = await paid(shop, 'refund-failed')
  await refund(shop, refundFailed, '4.00')
  const chargedBack = await paid(shop, 'charged-back')
  await act(chargedBack, 'chargeback')
  await notify(chargedBack)
  const refundedAtThePsp = await paid(shop, 'refunded-at-the-psp')
  await act(refundedAtThePsp, 'refund', { amount: '1.25' })
  await notify(refundedAtThePsp)
  await act(refundFailed, 'fail-refund')
  const retried = await paid(shop, 'retried', { report_url: BROKEN })
  const gone = await paid(shop, 'gone', { report_url: GONE })
  const fast = await paid(shop, 'fast', { report_url: BROKEN }, { 'test-clock-speed': '1000' })
  for (const id of [retried, gone, fast]) await untilTried(id)
  const listener = await listen(shop.token, { answering: answered(204) })
  const listened = await paid(shop, 'listened')
  await listener.until('report')
  listener.close()
  const cancelled = (await begin(shop, 'cancelled')).paymentJob
  await send(`/v2/paymentjobs/${cancelled}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.token}` },
  })
  const cancelledByOperator = (await begin(shop, 'cancelled-by-operator')).paymentJob
  await operate('POST', `/jobs/${cancelledByOperator}/cancel`)
  const keyed = (await begin(shop, 'keyed', {}, { 'idempotency-key': 'key-1' })).paymentJob
  return {
    token: shop.token,
    jobs: {
      refunded,
      refundFailed,
      chargedBack,
      refundedAtThePsp,
      retried,
      gone,
      fast,
      listened,
      cancelled,
      cancelledByOperator,
      keyed,
      direct: await paid({ pos, token: pos.apiKey }, 'direct'),
      paid: await paid(shop, 'paid'),
      reserved: await chosen(shop, 'reserved', 'authorized'),
      failed: await chosen(shop, 'failed', 'failed'),
      underway: await chosen(shop, 'underway', 'underway'),
      fastOpen: (await begin(shop, 'fast-open', {}, { 'test-clock-speed': '1000' })).paymentJob,
      open: (await begin(shop, 'open')).paymentJob,
    },
  }
}

/** The alarm that a job has left rings when its time is over, and purges it. */
export async function ringPurge(id: string): Promise<void> {
  if (!(await runDurableObjectAlarm(objectOf(id)))) throw new Error('the job has left no alarm')
  if (await objectOf(id).read()) throw new Error('the job is not purged')
}
