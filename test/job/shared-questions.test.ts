import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { APART } from '../../src/job/core/schedule.ts'
import { untilOf } from '../../src/job/core/state.ts'
import { createJob, location, order, readJob, refreshOf, send, giveUp } from '../support/hub/hub.ts'
import { alarmOf, objectOf, referenceOf, ringNext, stored } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'
import { operate } from '../support/hub/operator.ts'

let id: string
let account: string
const shop = liveShop()
beforeEach(async () => {
  id = (await createJob(shop.token)).paymentJob
  account = (await stored(id)).account
  vi.setSystemTime(Date.now())
})

function notify() {
  const [payment] = shop.world.fake.payments
  const body = new URLSearchParams({ id: payment?.id ?? '' })
  return send(`/notifications/${account}/${id}`, { method: 'POST', body })
}
async function trace() {
  return (await readJob(shop.token, id)).payments.steps.map(({ action, status }) => `${action} ${status}`)
}
function requestMethods() {
  return shop.world.asked.filter((call) => !call.startsWith('POST')).map((call) => call.split(' ')[0])
}

/** From now on the PSP’s answers arrive only after the returned function is called. */
function holdAnswers(): () => void {
  const { promise: held, resolve } = Promise.withResolvers<void>()
  shop.world.fault = async (request) => {
    const answer = shop.world.fake.handle(request)
    await held
    return answer
  }
  return resolve
}

/** From now on every wait of this length (ms) ends at once. */
function isOver(time: number) {
  const { setTimeout: real } = globalThis
  const patience = vi.spyOn(globalThis, 'setTimeout')
  patience.mockImplementation((end, after, ...given) => real(end, after === time ? 0 : after, ...given))
  return patience
}

describe('questions about one job at the same time', () => {
  it('make one call to the PSP for 200 customers who come back', async () => {
    shop.world.fake.setStatus('paid')
    const all = await Promise.all(Array.from({ length: 200 }, () => send(`/return/${id}`)))
    expect(new Set(all.map(location))).toEqual(new Set([order.return_url]))
    expect(requestMethods()).toEqual(['GET'])
    expect(await trace()).toEqual(['Start PENDING', 'Return SUCCESS'])
  })

  it('make one call to the PSP while the payment is open, and all wait on the page', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => send(`/return/${id}`)))
    expect(new Set(await Promise.all(all.map(refreshOf)))).toEqual(
      new Set([`/return/${(await stored(id)).link}?look=2`]),
    )
    expect(requestMethods()).toEqual(['GET'])
    expect(await trace()).toEqual(['Start PENDING', 'Return PENDING'])
  })

  it('share the answer, with one step for each kind: two returns and a notification', async () => {
    shop.world.fake.setStatus('paid')
    const all = await Promise.all([send(`/return/${id}`), send(`/return/${id}`), notify()])
    expect(all.map(({ status }) => status)).toEqual([303, 303, 200])
    expect(requestMethods()).toEqual(['GET'])
    expect((await trace()).toSorted()).toEqual(['Return SUCCESS', 'Start PENDING', 'Statuspull SUCCESS'])
  })

  it('stop a payment once for 50 customers who cancel', async () => {
    await Promise.all(Array.from({ length: 50 }, () => giveUp(`/return/${id}?cancelled=1`)))
    expect(requestMethods()).toEqual(['GET', 'DELETE'])
    expect((await readJob(shop.token, id)).status).toBe('CANCELLED')
  })

  it('make one call to the PSP for a customer who comes back and the alarm', async () => {
    const question = `GET /v2/payments/${await referenceOf(id)}`
    const questions = () => shop.world.asked.filter((call) => call === question)
    vi.setSystemTime(Date.now() + 10 * 60_000 - 1000)
    const answer = holdAnswers()
    const back = send(`/return/${id}`)
    await vi.waitFor(() => expect(questions()).toHaveLength(1))
    const rung = ringNext(id)
    await scheduler.wait(50)
    answer()
    await Promise.all([back, rung])
    expect(questions()).toHaveLength(1)
  })

  it('stop the payment of a customer who cancels while another page asks', async () => {
    const answer = holdAnswers()
    const back = send(`/return/${id}`)
    await vi.waitFor(() => expect(requestMethods()).toEqual(['GET']))
    const givenUp = giveUp(`/return/${id}?cancelled=1`)
    await scheduler.wait(50)
    answer()
    await Promise.all([back, givenUp])
    expect(requestMethods()).toEqual(['GET', 'GET', 'DELETE'])
    expect((await readJob(shop.token, id)).status).toBe('CANCELLED')
  })

  it('share silence too: the hub does not repeat a question that the PSP just did not answer', async () => {
    shop.world.fault = () => new Response(null, { status: 500 })
    const all = await Promise.all(Array.from({ length: 20 }, notify))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([503]))
    expect(requestMethods()).toEqual(['GET'])
  })
})

describe('an answer that takes long', () => {
  it('keeps customers waiting longer than a notification', async () => {
    shop.world.fake.setStatus('paid')
    const answer = holdAnswers()
    const first = send(`/return/${id}`)
    await vi.waitFor(() => expect(requestMethods()).toHaveLength(1))
    const patience = isOver(5000)
    const second = send(`/return/${id}`)
    await scheduler.wait(50)
    answer()
    expect([await first, await second].map(location)).toEqual([order.return_url, order.return_url])
    patience.mockRestore()
    expect(requestMethods()).toHaveLength(1)
  })

  it('is given up after a while, and an operator reads that the PSP does not answer', async () => {
    const answer = holdAnswers()
    const back = send(`/return/${id}`)
    await vi.waitFor(() => expect(requestMethods()).toHaveLength(1))
    const patience = isOver(35_000)
    expect((await operate('POST', `/jobs/${id}/pull`)).status).toBe(503)
    patience.mockRestore()
    answer()
    await back
    expect(requestMethods()).toHaveLength(1)
  })
})

describe('a customer who comes back to a paid job', () => {
  it('leaves a step, and causes no question', async () => {
    shop.world.fake.setStatus('paid')
    await notify()
    vi.setSystemTime(Date.now() + APART)
    const { length } = requestMethods()
    const back = await Promise.all(
      ['', '?look=1', '?cancelled=1'].map((query) => giveUp(`/return/${id}${query}`)),
    )
    expect(back.map(location)).toEqual(back.map(() => order.return_url))
    expect(requestMethods()).toHaveLength(length)
    expect(await trace()).toEqual(['Start PENDING', 'Statuspull SUCCESS', 'Return SUCCESS'])
  })
})

describe('questions within two seconds of an answer', () => {
  it('make no second call', async () => {
    for (let hit = 0; hit < 20; hit++) await send(`/return/${id}?look=${hit % 4}`)
    expect(requestMethods()).toEqual(['GET'])
  })

  it('make a call once the two seconds are over', async () => {
    await send(`/return/${id}`)
    vi.setSystemTime(Date.now() + APART - 1)
    await send(`/return/${id}`)
    expect(requestMethods()).toEqual(['GET'])
    vi.setSystemTime(Date.now() + 1)
    await send(`/return/${id}`)
    expect(requestMethods()).toEqual(['GET', 'GET'])
  })

  it('lose no notification: the alarm asks as soon as it may, even after the object has lost its memory', async () => {
    await send(`/return/${id}`)
    vi.setSystemTime(Date.now() + APART)
    await send(`/return/${id}`)
    shop.world.fake.setStatus('paid')
    expect([(await notify()).status, (await notify()).status]).toEqual([200, 200])
    expect(requestMethods()).toEqual(['GET', 'GET'])
    expect(await alarmOf(id)).toBe(Date.now() + APART)
    await evictDurableObject(objectOf(id))
    await ringNext(id)
    expect(requestMethods()).toEqual(['GET', 'GET', 'GET'])
    expect((await readJob(shop.token, id)).status).toBe('SUCCESS')
  })

  it('lose no notification about a payment that has ended', async () => {
    shop.world.fake.setStatus('canceled')
    await notify()
    shop.world.fake.setStatus('paid')
    await notify()
    expect((await readJob(shop.token, id)).status).toBe('CANCELLED')
    await ringNext(id)
    expect((await readJob(shop.token, id)).status).toBe('SUCCESS')
  })

  it('lose no notification of money that went back after an operator asked about a paid payment', async () => {
    shop.world.fake.setStatus('paid')
    await notify()
    vi.setSystemTime(Date.now() + APART)
    await operate('POST', `/jobs/${id}/pull`)
    shop.world.fake.chargeBack(id, 300)
    await notify()
    await ringNext(id)
    expect(await readJob(shop.token, id)).toMatchObject({ amountChargedBack: '3.00' })
  })

  it('lose no notification that came while an older answer was on its way', async () => {
    shop.world.fake.setStatus('canceled')
    await notify()
    vi.setSystemTime(Date.now() + APART)
    const release = holdAnswers()
    const back = send(`/return/${id}`)
    await vi.waitFor(() => expect(requestMethods().length).toBeGreaterThan(1))
    shop.world.fault = null
    shop.world.fake.setStatus('paid')
    // The clock does not move, as the clocks of two machines may seem to: only the five seconds of a
    // notification's wait pass.
    const patience = isOver(5000)
    expect((await notify()).status).toBe(200)
    patience.mockRestore()
    release()
    await back
    vi.setSystemTime(Date.now() + APART)
    await ringNext(id)
    expect((await readJob(shop.token, id)).status).toBe('SUCCESS')
  })

  it('make a call for a duty that an answer from before its time does not end', async () => {
    const end = untilOf(await stored(id))
    shop.world.fault = () => new Response(null, { status: 500 })
    vi.setSystemTime(end - 1000)
    await send(`/return/${id}`)
    const before = (await objectOf(id).entries()).length
    vi.setSystemTime(end)
    await runDurableObjectAlarm(objectOf(id))
    expect(requestMethods()).toEqual(['GET', 'GET'])
    expect(await objectOf(id).entries()).toHaveLength(before + 1)
  })

  it('let a customer cancel what was open just before', async () => {
    await send(`/return/${id}`)
    await giveUp(`/return/${id}?cancelled=1`)
    expect(requestMethods()).toEqual(['GET', 'GET', 'DELETE'])
    expect((await readJob(shop.token, id)).status).toBe('CANCELLED')
  })
})
