import { describe, expect, it } from 'vitest'
import { recordTotals } from '../../src/job/rules/record-money-back.ts'
import { readStoredJob, writeStoredJob } from '../../src/job/stored-job.ts'
import { NOW, jobIn } from '../support/sample-job.ts'

/** The storage of an object, and the keys that were written to it. */
function storage() {
  const values = new Map<string, unknown>()
  const written: string[] = []
  const kv = {
    get: ((key: string) => values.get(key)) as SyncKvStorage['get'],
    put: (key: string, value: unknown) => {
      written.push(key)
      values.set(key, value)
    },
  }
  return { kv, written }
}

describe('a job is stored', () => {
  const job = jobIn('SUCCESS')
  const refunded = recordTotals(job, { refunded: 500 }, NOW + 1000)

  it('without the key of its money until some of that went back', () => {
    const { kv, written } = storage()
    writeStoredJob(kv, null, job)
    expect(written).toEqual(['job'])
    expect(readStoredJob(kv)).toEqual(job)
  })

  it('with what became of its money, which is written again only where that changed', () => {
    const { kv, written } = storage()
    writeStoredJob(kv, job, refunded)
    expect(written).toEqual(['job', 'money-back'])
    const reported = { ...refunded, reports: [] }
    writeStoredJob(kv, refunded, reported)
    expect(written).toEqual(['job', 'money-back', 'job'])
    expect(readStoredJob(kv)).toEqual(reported)
    const more = recordTotals(reported, { refunded: 700 }, NOW + 2000)
    writeStoredJob(kv, reported, more)
    expect(readStoredJob(kv)).toEqual(more)
  })

  it('with its payments elsewhere, which are written again only where one of them changed', () => {
    const { kv, written } = storage()
    const other = { account: 'another', reference: null, paid: 0, tries: 1, at: NOW }
    const elsewhere = { ...job, otherPayments: [other] }
    writeStoredJob(kv, null, elsewhere)
    expect(written).toEqual(['job', 'other-payments'])
    const looked = { ...elsewhere, otherPayments: [{ ...other, tries: 2 }] }
    writeStoredJob(kv, elsewhere, looked)
    writeStoredJob(kv, looked, { ...looked, reports: [] })
    expect(written).toEqual(['job', 'other-payments', 'job', 'other-payments', 'job'])
    expect(readStoredJob(kv)).toEqual({ ...looked, reports: [] })
  })
})
