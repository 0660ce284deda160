import { runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { NewJob } from '../../src/job/rules/announcement.ts'
import type { PaymentJob } from '../../src/job/payment-job.ts'
import { objectOf } from '../support/job.ts'
import { ANNOUNCED, ORDER, SILENT } from '../support/sample-job.ts'

/** A create that the PSP did not answer, under an id of its own. */
async function waiting(): Promise<NewJob> {
  const wanted: NewJob = {
    id: crypto.randomUUID(),
    transactionId: crypto.randomUUID(),
    fingerprint: 'f1',
    pos: 'pos1',
    account: 'first',
    origin: 'https://hub.nl',
    order: { ...ORDER },
    answer: SILENT,
  }
  await objectOf(wanted.id).create(wanted)
  return wanted
}
/** A payment that stays open while the test runs. */
const held = { ...ANNOUNCED, expiresAt: Date.now() + 3_600_000 }

afterEach(() => void vi.useRealTimers())

describe('a create that comes again while the job waits for its announcement', () => {
  it('brings the answer that the job takes', async () => {
    const wanted = await waiting()
    const job = await objectOf(wanted.id).create({ ...wanted, account: 'second', answer: held })
    expect(job).toMatchObject({ account: 'second', error: null, announcement: { is: 'announced' } })
  })

  it('with another order changes nothing: the job gets neither its answer nor its account', async () => {
    const wanted = await waiting()
    const before = await objectOf(wanted.id).read()
    const other: NewJob = {
      ...wanted,
      fingerprint: 'f2',
      account: 'second',
      order: { ...ORDER, amount: 1 },
      answer: held,
    }
    expect(await objectOf(wanted.id).create(other)).toMatchObject({ fingerprint: 'f1', account: 'first' })
    expect(await objectOf(wanted.id).read()).toEqual(before)
  })
})

it('a create that comes again for a job that has its payment leaves it that payment, and has the other one looked after', async () => {
  const wanted = await waiting()
  await objectOf(wanted.id).create({ ...wanted, answer: held })
  const before = await objectOf(wanted.id).read()
  await objectOf(wanted.id).create({ ...wanted, answer: { ...held, reference: 'tr_2' } })
  const after = await objectOf(wanted.id).read()
  expect(after?.announcement).toEqual(before?.announcement)
  expect(after?.otherPayments).toMatchObject([{ account: wanted.account, reference: 'tr_2' }])
})

it('a pull that had no answer is written, and one more that has none is not', async () => {
  const { id, ...wanted } = await waiting()
  await objectOf(id).create({ id, ...wanted, answer: held })
  const start = Date.now()
  const writes = await runInDurableObject(objectOf(id), (object, { storage }) => {
    const put = vi.spyOn(storage.kv, 'put')
    return [0, 3000, 6000].map((later) => {
      vi.setSystemTime(start + later)
      ;(object as PaymentJob).endPull(
        { id: `${later}`, reason: 'notification' },
        { answer: SILENT, stopped: false },
      )
      return put.mock.calls.length
    })
  })
  expect(writes).toEqual([1, 1, 1])
})
