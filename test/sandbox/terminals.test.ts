import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { asOf, openPayment } from '../../src/psp/sandbox/payment.ts'
import { advance, orderAtTerminal, readTerminalJob, untilJob } from '../support/jobs/at-terminal.ts'
import { ORIGIN, askWith, location, makePos, send, tokenFor } from '../support/hub/hub.ts'
import { referenceOf } from '../support/jobs/job.ts'
import { receiver } from '../support/shops/receiver.ts'
import { act, checkoutOf, get, make, newPayment, objectOf, sandbox } from './client.ts'

let token: string
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  receiver()
  token = await tokenFor(await makePos())
})

const [CARD, READ, BANK] = ['waiting-for-card', 'card-read', 'authorising'] as const

it.each([
  ['tap', [CARD, READ, BANK, 'paid']],
  ['pin', [CARD, READ, BANK, 'paid']],
  ['tip', [CARD, READ, BANK, 'paid']],
  ['lost', [CARD, READ, BANK, 'paid']],
  ['wrong-pin', [CARD, READ, BANK, READ, BANK, 'paid']],
  ['soft-decline', [CARD, READ, BANK, CARD, READ, BANK, 'paid']],
  ['declined', [CARD, READ, BANK, 'failed']],
  ['unplugged', [CARD, READ, 'failed']],
  ['away', [CARD, 'expired']],
  ['late-cancel', [CARD]],
])('by the word sandbox-%s a payment goes on by itself: %j', (word, expected) => {
  const terminal = { id: 'sandbox-1', object: 'tm_1' }
  let payment = openPayment({ ...newPayment, id: 'tr_1', description: `A-7 sandbox-${word}`, terminal }, 0)
  const seen: string[] = []
  for (let now = 0; now < 70_000; now += 100) {
    payment = asOf(payment, now)
    const is = payment.status === 'open' ? (payment.progress ?? CARD) : payment.status
    if (seen.at(-1) !== is) seen.push(is)
  }
  expect(seen).toEqual(expected)
})

async function waiting(): Promise<{ id: string; reference: string; page: string }> {
  const { paymentJob: id } = await orderAtTerminal(token)
  await untilJob(token, id, ({ terminal }) => terminal.state === 'waiting-for-card')
  const reference = await referenceOf(id)
  return { id, reference, page: location(await send(checkoutOf(reference))) }
}

const press = (page: string, outcome: string) =>
  send(page, { method: 'POST', body: new URLSearchParams({ outcome }) })

const buttonsOf = (html: string) =>
  [...html.matchAll(/name="outcome" value="([\w-]+)"/g)].map(([, one]) => one)

describe('the page of a terminal', () => {
  it('is reached from the page of its order, and shows the amount to pay', async () => {
    const { id, reference, page } = await waiting()
    const { payUrl } = await readTerminalJob(token, id)
    expect(await (await send(payUrl)).text()).toContain(`href="/sandbox/checkout/${reference}"`)
    expect(page).toMatch(/^https:\/\/[^/]+\/sandbox\/terminals\/tm_\w+$/)
    const html = await (await send(page, { headers: { 'accept-language': 'nl' } })).text()
    expect(html).toContain('€\u00a012,50')
    expect(html).toContain('<bdi>sandbox-1</bdi>')
    expect(buttonsOf(html)).toEqual(expect.arrayContaining(['tap', 'pin', 'declined', 'stop']))
  })

  it('lets the customer choose, and then shows the progress of the payment', async () => {
    const { id, reference, page } = await waiting()
    const chosen = await press(page, 'tap')
    expect(new URL(location(chosen), ORIGIN).href).toBe(page)
    await untilJob(token, id, ({ terminal }) => terminal.state === 'authorising')
    expect(buttonsOf(await (await send(page)).text())).toEqual([])
    await untilJob(token, id)
    expect(await get(reference)).toMatchObject({ status: 'paid' })
    expect(buttonsOf(await (await send(page)).text())).toEqual([])
    expect((await press(page, 'declined')).status).toBe(303)
    expect(await get(reference)).toMatchObject({ status: 'paid' })
  }, 30_000)

  it('cancels with its red button', async () => {
    const { id, page } = await waiting()
    await press(page, 'stop')
    expect((await untilJob(token, id)).job.status).toBe('CANCELLED')
  })

  it('switches the terminal off, and on again', async () => {
    const { reference, page } = await waiting()
    await act(reference, 'pay')
    await press(page, 'off')
    const { job } = await orderAtTerminal(token).then(({ paymentJob }) => untilJob(token, paymentJob))
    expect(job.error).toMatch(/^terminal_off: /)
    expect(buttonsOf(await (await send(page)).text())).toEqual(['on'])
    await press(page, 'on')
    await waiting()
  })

  it.each(['tm_0000000000', 'tr_0000000000', 'x'])('does not exist for %s', async (name) => {
    expect((await send(`/sandbox/terminals/${name}`)).status).toBe(404)
    expect((await press(`/sandbox/terminals/${name}`, 'tap')).status).toBe(404)
  })

  it('knows no other choices', async () => {
    const { page } = await waiting()
    expect((await press(page, 'paid')).status).toBe(422)
  })
})

describe('an action at a terminal', () => {
  it('works only for payments at a terminal', async () => {
    const { id } = await make()
    expect((await act(id, 'tap')).status).toBe(409)
    expect(await get(id)).toMatchObject({ status: 'open' })
  })

  it('may be replaced until it has ended the payment', async () => {
    const { id, reference } = await waiting()
    expect((await act(reference, 'away')).status).toBe(200)
    expect((await act(reference, 'declined')).status).toBe(200)
    expect((await untilJob(token, id)).job.status).toBe('FAILURE')
    expect((await act(reference, 'tap')).status).toBe(409)
  }, 30_000)

  it('follows the time of the job: a payment expires a minute after its customer walked away', async () => {
    const { id, reference } = await waiting()
    await act(reference, 'away')
    expect((await advance(token, id, 62)).status).toBe(200)
    expect((await untilJob(token, id)).job).toMatchObject({ status: 'EXPIRED', amountPaid: '0.00' })
  })
})

it('a terminal that is unused for 30 days is forgotten', async () => {
  const { page } = await waiting()
  const object = objectOf(page.slice(page.lastIndexOf('/') + 1))
  const alarm = await runInDurableObject(object, (_, { storage }) => storage.getAlarm())
  expect(alarm).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  await runDurableObjectAlarm(object)
  expect((await send(page)).status).toBe(404)
})

it('the terminals are listed', async () => {
  const listed = await sandbox.terminals?.list()
  const offered = await askWith(token, 'GET', '/v2/terminals')
  const { terminals } = await offered.json<{ terminals: { id: string }[] }>()
  expect(listed).toMatchObject({ is: 'listed', terminals: terminals.map(({ id }) => ({ id })) })
})
