import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createJob, readJob } from '../support/hub.ts'
import { stored, waitForNextPull } from '../support/job.ts'
import { outsideWith } from '../support/outside.ts'
import { deliver, notify, posAt } from '../support/psp-world.ts'
import type { FakePsp, SentNotification } from '../support/psps/fake-psp.ts'
import { adyenFake } from '../support/psps/adyen.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { multisafepayFake } from '../support/psps/multisafepay.ts'
import { stripeFake } from '../support/psps/stripe.ts'

/** What an operator of the shop does at the PSP. Returns the notifications, if they are not the usual ones. */
type Act = (job: string, amount: number) => Promise<SentNotification[] | Response>
type Hands = Record<'capture' | 'cancel', Act> & { refund?: Act; events?: (name: string) => Act }

function json(fake: FakePsp, method: string, url: string, headers: object, body?: object): Promise<Response> {
  const sent = { method, headers: { 'content-type': 'application/json', ...headers } }
  return fake.handle(new Request(url, body ? { ...sent, body: JSON.stringify(body) } : sent))
}

const PSPS = {
  adyen() {
    const fake = adyenFake('several')
    const capture: Act = async (job, amount) => Response.json(fake.byHand(job, 'captures', amount))
    const cancel: Act = async (job) => Response.json(fake.byHand(job, 'cancels'))
    const refund: Act = async (job, amount) => [
      await fake.tellRefund(fake.byHand(job, 'refunds', amount).pspReference),
    ]
    const events = (eventCode: string): Act => {
      return async (job) => [await fake.tell(job, { eventCode, pspReference: `${eventCode}1` })]
    }
    return { fake, hands: { capture, cancel, refund, events } }
  },
  mollie() {
    const fake = mollieFake('live_byhand000001')
    const authorization = 'Bearer live_byhand000001'
    const to =
      (path: string, body?: (amount: number) => object): Act =>
      (job, amount) => {
        const id = fake.payments.find((payment) => payment.job === job)?.id
        const url = `https://api.mollie.com/v2/payments/${id}/${path}`
        return json(fake, 'POST', url, { authorization }, body?.(amount))
      }
    const move = (amount: number) => ({
      amount: { currency: 'EUR', value: (amount / 100).toFixed(2) },
      description: 'By hand',
      metadata: {},
    })
    const hands = {
      capture: to('captures', move),
      cancel: to('release-authorization'),
      refund: to('refunds', move),
    }
    return { fake, hands }
  },
  multisafepay() {
    const fake = multisafepayFake()
    const { apiKey: api_key } = fake.accounts[0] as { apiKey: string }
    const to = (method: string, path: string, body: object) =>
      json(fake, method, `https://api.multisafepay.com/v1/json${path}`, { api_key }, body)
    const reason = 'By hand'
    const capture: Act = (job, amount) =>
      to('POST', `/orders/${job}/capture`, { amount, new_order_status: 'completed', reason })
    const cancel: Act = (job) => to('PATCH', `/capture/${job}`, { status: 'cancelled', reason })
    return { fake, hands: { capture, cancel } }
  },
  stripe() {
    const fake = stripeFake()
    const capture: Act = (job, amount) => fake.captureThere(job, amount, false, Date.now())
    const cancel: Act = (job) => fake.releaseThere(job, Date.now())
    const bring = (job: string) => fake.setMoney(job, 'multicapture')
    return { fake: { ...fake, bring }, hands: { capture, cancel } }
  },
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))

/** A job of 50.00 whose money is reserved. `by`: does something by hand at the PSP, which then notifies the hub. */
async function reserved(psp: string, open: () => { fake: FakePsp; hands: Hands }) {
  const { fake, hands } = open()
  const world = Object.assign(outsideWith(fake), { psp })
  const { apiKey: token } = await posAt(world)
  const order = { payment_method: 'creditcard', amount: '50.00', capture: 'manual' }
  const { paymentJob: job } = await createJob(token, order)
  fake.bring(job, 'paid')
  await notify(world, job)
  const { account } = await stored(job)
  return {
    hands,
    async by(act: Act | undefined, amount: number, shown: object) {
      waitForNextPull()
      const done = await act?.(job, amount)
      if (done instanceof Response) expect(done.ok).toBe(true)
      const answers = Array.isArray(done)
        ? await Promise.all(done.map(async (one) => (await deliver(account, one)).status))
        : await notify(world, job)
      expect(new Set(answers)).toEqual(new Set([200]))
      await vi.waitFor(async () => expect(await readJob(token, job)).toMatchObject(shown))
      const { status } = await readJob(token, job)
      await vi.waitFor(() => expect(world.reportsOf(job).at(-1)).toBe(status))
    },
  }
}

describe.each(Object.entries(PSPS))('an operator of the shop who acts at %s', (psp, open) => {
  // Adyen cancels what a first capture leaves, unless its support has enabled more of them.
  const isOnce = psp === 'adyen'
  const inPart = isOnce
    ? { status: 'SUCCESS', amountPaid: '20.00', amountDue: '0.00', amountReleased: '30.00' }
    : { status: 'PENDING', amountPaid: '20.00', amountDue: '30.00' }

  it('captures in parts, all of it', async () => {
    const { hands, by } = await reserved(psp, open)
    await by(hands.capture, 2000, inPart)
    await by(hands.capture, 3000, { status: 'SUCCESS', amountPaid: '50.00', amountDue: '0.00' })
    if (hands.refund) await by(hands.refund, 1000, { status: 'SUCCESS', amountRefunded: '10.00' })
  })

  it('captures a part, and cancels the rest', async () => {
    const { hands, by } = await reserved(psp, open)
    await by(hands.capture, 2000, inPart)
    await by(hands.cancel, 3000, { status: 'SUCCESS', amountPaid: '20.00', amountReleased: '30.00' })
  })

  it('cancels all: the job is CANCELLED', async () => {
    const { hands, by } = await reserved(psp, open)
    await by(hands.cancel, 5000, { status: 'CANCELLED', amountPaid: '0.00', amountReleased: '50.00' })
  })
})

it.each([
  ['CANCELLATION', 'CANCELLED'],
  ['TECHNICAL_CANCEL', 'CANCELLED'],
  ['CANCEL_OR_REFUND', 'CANCELLED'],
  ['EXPIRE', 'EXPIRED'],
])('%s of what Adyen has reserved makes the job %s', async (event, status) => {
  const { hands, by } = await reserved('adyen', PSPS.adyen)
  await by(hands.events?.(event), 0, { status, amountPaid: '0.00', amountReleased: '50.00' })
})
