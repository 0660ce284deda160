import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askWith, createJob, makePos, payAs, readJob, tokenFor } from '../support/hub.ts'
import { receiver } from '../support/receiver.ts'
import { act, referenceOf } from './client.ts'

let token: string
beforeEach(async () => {
  receiver()
  token = await tokenFor(await makePos())
  vi.spyOn(console, 'warn').mockReturnValue()
})

/** A job of 12.50 whose customer has paid on the sandbox's page. */
async function reserved(orderNumber = 'A-7') {
  const order = { payment_method: 'creditcard', capture: 'manual', order_number: orderNumber }
  const { paymentJob: job, payUrl } = await createJob(token, order)
  const reference = await referenceOf(payUrl)
  await payAs(payUrl, 'paid')
  expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', amountAuthorized: '12.50' })
  return { job, reference }
}

async function ask(path: string, body: object = {}) {
  const answer = await askWith(token, 'POST', `/v2/paymentjobs/${path}`, body)
  return { ...(await answer.json<Record<string, unknown>>()), code: answer.status }
}

function untilRead(job: string, expected: object) {
  return vi.waitFor(async () => expect(await readJob(token, job)).toMatchObject(expected), 10_000)
}

const DAY = 86_400

describe('an order that is captured by hand, in test mode', () => {
  it('is captured in two parts', async () => {
    const { job } = await reserved()
    expect(await ask(`${job}/captures`, { amount: '5.00' })).toMatchObject({ code: 201, status: 'SUCCESS' })
    await untilRead(job, { status: 'PENDING', amountPaid: '5.00', amountDue: '7.50' })
    expect(await ask(`${job}/captures`, { amount: '7.51' })).toMatchObject({ code: 422 })
    expect(await ask(`${job}/captures`)).toMatchObject({ code: 201, amount: '7.50' })
    await untilRead(job, { status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('is released, or its rest with a final capture', async () => {
    const [whole, part] = [await reserved(), await reserved()]
    expect(await ask(`${whole.job}/release`)).toMatchObject({ code: 200 })
    await untilRead(whole.job, { status: 'CANCELLED' })
    await ask(`${part.job}/captures`, { amount: '5.00', final: true })
    await untilRead(part.job, {
      status: 'SUCCESS',
      amountPaid: '5.00',
      amountReleased: '7.50',
      amountDue: '0.00',
    })
  })

  it('is captured by no capture that fails, and can be released', async () => {
    const { job } = await reserved('A-7 sandbox-capture-fails')
    expect(await ask(`${job}/captures`)).toMatchObject({ code: 422 })
    await untilRead(job, { status: 'PENDING', amountPaid: '0.00' })
    await ask(`${job}/release`)
    await untilRead(job, { status: 'CANCELLED' })
  })

  it('is let go when its time is over', async () => {
    const [nothing, part] = [await reserved(), await reserved()]
    await ask(`${part.job}/captures`, { amount: '5.00' })
    for (const { job } of [nothing, part]) await ask(`${job}/advance`, { seconds: 8 * DAY })
    await untilRead(nothing.job, { status: 'EXPIRED', amountPaid: '0.00' })
    await untilRead(part.job, { status: 'SUCCESS', amountPaid: '5.00', amountReleased: '7.50' })
  })

  it('shows a capture that fails after all', async () => {
    const { job, reference } = await reserved()
    await ask(`${job}/captures`, { amount: '5.00' })
    await untilRead(job, { amountPaid: '5.00' })
    await act(reference, 'fail-capture')
    await untilRead(job, { status: 'PENDING', amountPaid: '0.00', amountDue: '12.50' })
  })
})
