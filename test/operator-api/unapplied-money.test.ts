import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { HubHealth } from '../../src/contract/hub-health.ts'
import type { JobDetail } from '../../src/contract/job-detail.ts'
import type { OperatorJobList } from '../../src/contract/job-search.ts'
import { askWith, createJob, makePos, payAs, readJob, tokenFor } from '../support/hub/hub.ts'
import { act, referenceOf } from '../sandbox/client.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { entriesAbout } from './audit-entries.ts'

const WAIT = { timeout: 20_000, interval: 100 }

/** A new shop, whose order was paid one cent short when it expired. */
async function paidShort() {
  const pos = await makePos()
  const token = await tokenFor(pos)
  const { paymentJob: id, payUrl } = await createJob(token)
  await act(await referenceOf(payUrl), 'wrong-amount')
  await askWith(token, 'POST', `/v2/paymentjobs/${id}/advance`, { seconds: 3 * 86_400 })
  await vi.waitFor(async () => expect(await readJob(token, id)).toMatchObject({ status: 'EXPIRED' }), WAIT)
  return { pos, token, id }
}

function listed(pos: string, more = '') {
  return answerTo<OperatorJobList>('GET', `/jobs?pos=${pos}${more}`)
}

describe('an order that ended with a part paid', () => {
  let job: Awaited<ReturnType<typeof paidShort>>
  beforeAll(async () => {
    job = await paidShort()
    await vi.waitFor(async () => {
      expect((await listed(job.pos.id, '&unapplied=1')).jobs).toHaveLength(1)
    }, WAIT)
  }, 60_000)

  it('is listed with its money, and is the only job under its filter', async () => {
    const other = await createJob(job.token, { order_number: 'B-1' })
    const { jobs, next } = await listed(job.pos.id, '&unapplied=1')
    expect(jobs).toMatchObject([{ id: job.id, status: 'EXPIRED', paid: '12.49', unapplied: '12.49' }])
    expect(next).toBeNull()
    await vi.waitFor(async () => expect((await listed(job.pos.id)).jobs).toHaveLength(2), WAIT)
    const all = (await listed(job.pos.id)).jobs
    expect(all.find(({ id }) => id === other.paymentJob)).toMatchObject({ unapplied: '0.00' })
    const named = await answerTo<OperatorJobList>('GET', `/jobs?order_number=B-1&unapplied=1`)
    expect(named.jobs.filter(({ pos }) => pos === job.pos.id)).toEqual([])
  })

  it('is a figure of its mode in the health of the hub', async () => {
    const { unapplied } = await answerTo<HubHealth>('GET', '/health')
    const euro = unapplied.test.find(({ currency }) => currency === 'EUR')
    expect(euro?.payments).toBeGreaterThanOrEqual(1)
    expect(Number(euro?.amount)).toBeGreaterThanOrEqual(12.49)
  })

  it('is in no payout yet, so the books show it as open', async () => {
    const open = await answerTo<{ jobs: object[] }>('GET', '/books/open?account=sandbox')
    expect(open.jobs).toContainEqual(
      expect.objectContaining({ id: job.id, status: 'EXPIRED', paid: '12.49', unapplied: '12.49' }),
    )
  })

  it('is cleared by an operator, with a reason that the audit log keeps, and only once', async () => {
    const wrong = await operate('POST', `/jobs/${job.id}/clear-money`, { note: '  ' })
    expect([wrong.status, await wrong.json()]).toMatchObject([422, { field: 'note' }])
    const note = 'Collected at the counter'
    const cleared = await answerTo<JobDetail>('POST', `/jobs/${job.id}/clear-money`, { note })
    expect(cleared).toMatchObject({ unapplied: '0.00' })
    const again = await operate('POST', `/jobs/${job.id}/clear-money`, { note })
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'nothing-to-clear' }])
    const ends = (await entriesAbout(job.id)).filter(({ action }) => action === 'job.clear-money')
    expect(ends).toContainEqual(
      expect.objectContaining({ after: expect.objectContaining({ cleared: '12.49', note }) }),
    )
    await vi.waitFor(async () => expect((await listed(job.pos.id, '&unapplied=1')).jobs).toEqual([]), WAIT)
  })
})

describe('two jobs with one order number that were both paid', () => {
  async function paidJob(token: string, changes: object = {}) {
    const { paymentJob, payUrl } = await createJob(token, changes)
    await payAs(payUrl, 'paid')
    return paymentJob
  }

  it('name each other to the shop, in the list and in why', async () => {
    const pos = await makePos()
    const token = await tokenFor(pos)
    const [one, other] = [await paidJob(token), await paidJob(token)]
    for (const [id, twin] of [
      [one, other],
      [other, one],
    ] as const) {
      await vi.waitFor(
        async () => expect(await readJob(token, id)).toMatchObject({ alsoPaidBy: [twin] }),
        WAIT,
      )
      const { why } = await answerTo<JobDetail>('GET', `/jobs/${id}`)
      expect([why.happened, ...why.also].join(' ')).toContain(twin)
    }
    await vi.waitFor(async () => {
      const { jobs } = await listed(pos.id)
      expect(new Set(jobs.map(({ id, alsoPaidBy }) => `${id} ${alsoPaidBy}`))).toEqual(
        new Set([`${one} ${other}`, `${other} ${one}`]),
      )
    }, WAIT)
  })

  it('are each reported to the shop, the earlier one again', async () => {
    const pos = await makePos()
    const token = await tokenFor(pos)
    const one = await paidJob(token)
    const revisionOf = async () => (await answerTo<JobDetail>('GET', `/jobs/${one}`)).reports.at(-1)?.revision
    const before = await revisionOf()
    await paidJob(token)
    await vi.waitFor(async () => expect(await revisionOf()).toBe((before ?? 0) + 1), WAIT)
  })

  it('no longer do once one of them is refunded', async () => {
    const token = await tokenFor(await makePos())
    const [one, other] = [await paidJob(token), await paidJob(token)]
    await vi.waitFor(async () => expect(await readJob(token, one)).toHaveProperty('alsoPaidBy'), WAIT)
    await operate('POST', `/jobs/${other}/refunds`, { id: crypto.randomUUID() })
    await vi.waitFor(async () => expect(await readJob(token, one)).not.toHaveProperty('alsoPaidBy'), WAIT)
  })

  it.each([
    ['another order number', { order_number: 'OTHER' }],
    ['another currency', { currency: 'USD', payment_method: 'card' }],
  ])('do not with %s', async (_, changes) => {
    const token = await tokenFor(await makePos())
    const [one, other] = [await paidJob(token), await paidJob(token, changes)]
    // Once the next job of the order is known, the others are.
    const next = await paidJob(token)
    await vi.waitFor(async () => expect(await readJob(token, one)).toHaveProperty('alsoPaidBy'), WAIT)
    expect(await readJob(token, one)).toMatchObject({ alsoPaidBy: [next] })
    expect(await readJob(token, other)).not.toHaveProperty('alsoPaidBy')
  })

  it('nor with another shop, nor if one of them was not paid', async () => {
    const token = await tokenFor(await makePos())
    const own = await tokenFor(await makePos())
    await paidJob(token)
    await createJob(own)
    const [job, next] = [await paidJob(own), await paidJob(own)]
    await vi.waitFor(async () => expect(await readJob(own, job)).toHaveProperty('alsoPaidBy'), WAIT)
    expect(await readJob(own, job)).toMatchObject({ alsoPaidBy: [next] })
  })

  it('for the rest of a partly paid order collect it', async () => {
    const { pos, token, id } = await paidShort()
    const rest = await paidJob(token, { amount: '0.01' })
    await vi.waitFor(async () => expect(await readJob(token, id)).toMatchObject({ alsoPaidBy: [rest] }), WAIT)
    await vi.waitFor(async () => expect((await listed(pos.id, '&unapplied=1')).jobs).toEqual([]), WAIT)
  }, 60_000)
})
