import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it } from 'vitest'
import type { JobDetail, JobJournal } from '../../src/contract/job-detail.ts'
import { toHex } from '../../src/platform/crypto/hash.ts'
import { createJob, makePos, order, payAs, tokenFor } from '../support/hub/hub.ts'
import { objectOf, untilNothingIsDue } from '../support/jobs/job.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'

const IP_ADDRESS = '203.0.113.77'
let id: string
beforeEach(async () => {
  receiver()
  const created = await createJob(await tokenFor(await makePos()), { ...order, ip_address: IP_ADDRESS })
  id = created.paymentJob
  await payAs(created.payUrl, 'paid')
  await untilNothingIsDue(id)
})

async function detailAt(at: string): Promise<JobDetail> {
  return answerTo<JobDetail>('GET', `/jobs/${id}?at=${at}`)
}
async function journal(): Promise<JobJournal> {
  return answerTo<JobJournal>('GET', `/jobs/${id}/journal`)
}

it('shows the state of a payment, what the hub knew, and what it was about to do', async () => {
  const now = await answerTo<JobDetail>('GET', `/jobs/${id}`)
  expect(now.status).toBe('SUCCESS')
  const then = await detailAt(now.created)
  expect(then).toMatchObject({ status: 'PENDING', amountPaid: '0.00', reports: [] })
  expect(then.why).toMatchObject({ cause: 'customer-not-back', move: 'customer' })
  expect(then.payments.steps).toEqual(now.payments.steps.slice(0, 1))
  expect(Date.parse(then.timers.nextPull ?? '')).toBeGreaterThan(Date.parse(now.created))
  expect(await detailAt(new Date().toISOString())).toEqual(now)
})

it('shows the present state for a time in the future', async () => {
  const { paymentJob } = await createJob(await tokenFor(await makePos()))
  const now = await answerTo<JobDetail>('GET', `/jobs/${paymentJob}`)
  const { timers, why } = await answerTo<JobDetail>('GET', `/jobs/${paymentJob}?at=2099-01-01T00:00:00Z`)
  expect({ timers, why }).toEqual({ timers: now.timers, why: now.why })
})

it('refuses an invalid time, and knows no payment before its creation', async () => {
  const wrong = await operate('GET', `/jobs/${id}?at=soon`)
  expect(wrong.status).toBe(422)
  expect(await wrong.json()).toMatchObject({ errors: [{ field: 'at' }] })
  const { created } = await answerTo<JobDetail>('GET', `/jobs/${id}`)
  const justBefore = new Date(Date.parse(created) - 1).toISOString()
  expect((await operate('GET', `/jobs/${id}?at=${justBefore}`)).status).toBe(404)
})

it('prints the journal: every fact, and nothing about the customer', async () => {
  const { paymentJob, entries } = await journal()
  expect(paymentJob).toBe(id)
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, place) => place + 1))
  const facts = entries.flatMap((entry) => entry.facts.map(({ is }) => is))
  expect(facts).toEqual(expect.arrayContaining(['created', 'attempted', 'seen', 'report-tried']))
  expect(JSON.stringify(entries)).not.toContain(IP_ADDRESS)
})

it("proves the customer's address by a hash with a salt, which the journal does not print", async () => {
  const { personal } = await runInDurableObject(
    objectOf(id),
    (_, { storage }) => storage.kv.get('000001') as { personal: { ipAddress: string; salt: string } },
  )
  expect(personal.ipAddress).toBe(IP_ADDRESS)
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(personal.salt + IP_ADDRESS))
  const { entries } = await journal()
  expect(entries[0]?.facts[0]).toMatchObject({ is: 'created', personalHash: toHex(hash) })
  expect(JSON.stringify(entries)).not.toContain(personal.salt)
})

it('the hash of an entry covers it and all earlier ones, in a form that every language can make', async () => {
  const { entries } = await journal()
  let previous = '0'.repeat(64)
  for (const { hash, ...entry } of entries) {
    const text = new TextEncoder().encode(previous + sorted(entry))
    previous = toHex(await crypto.subtle.digest('SHA-256', text))
    expect(hash).toBe(previous)
  }
})

/**
 * JSON with the members of each object sorted by name (RFC 8785). The journal has only whole
 * numbers and plain texts.
 */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
