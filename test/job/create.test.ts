import { describe, expect, it } from 'vitest'
import type { FactOf } from '../../src/job/core/facts.ts'
import { rowOf } from '../../src/job/core/row.ts'
import { objectOf, stored } from '../support/jobs/job.ts'
import { SILENT, TOOK, birthOf, ORDER } from '../support/jobs/played-job.ts'

type Outcome = FactOf<'attempted'>['outcome']

/** A payment that stays open while the test runs. */
const held = { ...TOOK, expiresAt: Date.now() + 3_600_000 } as Outcome

/** Creates a new job whose PSP did not answer. */
async function waiting(): Promise<string> {
  const id = crypto.randomUUID()
  await objectOf(id).create(birthOf({ id }, [['first', SILENT]]))
  return id
}

describe('a create that comes again while the job waits for its announcement', () => {
  it('brings the answer that the job records', async () => {
    const id = await waiting()
    const job = await objectOf(id).create(birthOf({ id }, [['second', held]]))
    expect(rowOf(job)).toMatchObject({ account: 'second', announcement: 'announced' })
    expect(job.error).toBeNull()
  })

  it('with another order changes nothing: the job records neither its answer nor its account', async () => {
    const id = await waiting()
    const before = await objectOf(id).entries()
    const other = birthOf({ id, fingerprint: 'f2', order: { ...ORDER, amount: 1 } }, [['second', held]])
    expect(await objectOf(id).create(other)).toMatchObject({ fingerprint: 'f1', payments: [] })
    expect((await objectOf(id).entries())[0]).toEqual(before[0])
    expect((await stored(id)).account).toBe('first')
  })
})

describe('a create that comes again for a job that has its payment', () => {
  it('changes nothing if the PSP returned the same payment', async () => {
    const id = await waiting()
    await objectOf(id).create(birthOf({ id }, [['first', held]]))
    const { attempts, payments } = await stored(id)
    await objectOf(id).create(birthOf({ id }, [['first', held]]))
    expect(await stored(id)).toMatchObject({ attempts, payments })
  })

  it('leaves it that payment, and makes the hub check the other one', async () => {
    const id = await waiting()
    await objectOf(id).create(birthOf({ id }, [['first', held]]))
    await objectOf(id).create(birthOf({ id }, [['second', { ...held, reference: 'tr_2' } as Outcome]]))
    const { account, payments } = await stored(id)
    expect(account).toBe('first')
    expect(payments.map(({ reference }) => reference)).toEqual(['tr_1', 'tr_2'])
  })
})
