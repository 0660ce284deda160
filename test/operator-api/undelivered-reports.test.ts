import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { writeRows } from '../../src/job-index/job-index.ts'
import { createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import { stored } from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'
import { row } from '../support/hub/shards.ts'

let answer: number
let shop: ReturnType<typeof receiver>
beforeEach(() => {
  answer = 410
  shop = receiver(() => new Response(null, { status: answer }))
})

/** A job whose report was given up, because its receiver refused further reports. */
async function givenUp(): Promise<string> {
  const { payUrl, paymentJob } = await createJob(await tokenFor(await makePos()))
  await payAs(payUrl, 'paid')
  await vi.waitFor(async () => expect((await stored(paymentJob)).report?.state).toBe('given-up'), 15_000)
  return paymentJob
}

const EVER = '?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'
async function listed(query = EVER): Promise<string[]> {
  const { undelivered } = await (
    await operate('GET', `/reports/undelivered${query}`)
  ).json<{
    undelivered: { paymentJob: string }[]
  }>()
  return undelivered.map(({ paymentJob }) => paymentJob)
}

describe('a report that was given up', () => {
  it('is listed with its job in its span, and in no other', async () => {
    const id = await givenUp()
    await expect.poll(() => listed(), { timeout: 15_000 }).toContain(id)
    expect(await listed('')).toContain(id)
    expect(await listed('?month=2026-01')).toEqual([])
    expect(await listed('?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z')).toEqual([])
  })

  it('is due while it is sent again, so that a page knows to look again', async () => {
    const id = await givenUp()
    const { promise, resolve } = Promise.withResolvers<void>()
    shop = receiver(async () => {
      await promise
      return new Response(null)
    })
    await operate('POST', `/jobs/${id}/resend`)
    await vi.waitFor(() => expect(shop.of(id)).toHaveLength(1), 15_000)
    const { reports } = await (await operate('GET', `/jobs/${id}`)).json<{ reports: { due: string }[] }>()
    resolve()
    expect(Math.abs(Date.parse(reports[0]?.due ?? '') - Date.now())).toBeLessThan(5000)
  })

  it('is sent again on its own, and after its delivery is no longer listed', async () => {
    const id = await givenUp()
    await expect.poll(() => listed(), { timeout: 15_000 }).toContain(id)
    answer = 200
    expect((await operate('POST', `/jobs/${id}/resend`)).status).toBe(200)
    await vi.waitFor(async () => expect((await stored(id)).report?.state).toBe('delivered'), 15_000)
    await expect.poll(() => listed(), { timeout: 15_000 }).not.toContain(id)
    expect((await stored(id)).report?.history.map(({ outcome }) => outcome)).toEqual(['410', '200'])
  })

  it('is sent again with all others of a span', async () => {
    const ids = [await givenUp(), await givenUp()]
    await expect.poll(() => listed(), { timeout: 15_000 }).toEqual(expect.arrayContaining(ids))
    answer = 200
    const { resent, next } = await (
      await operate('POST', `/reports/resend${EVER}`)
    ).json<{
      resent: number
      next: string | null
    }>()
    expect(resent).toBeGreaterThanOrEqual(2)
    expect(next).toBeNull()
    for (const id of ids) {
      await vi.waitFor(async () => expect((await stored(id)).report?.state).toBe('delivered'), 15_000)
    }
  })
})

describe('reports that are sent again page by page', () => {
  /**
   * A time (ms) in which no other file has reports. Its rows belong to no jobs, so nothing is
   * sent.
   */
  const START = Date.UTC(2018, 3, 5)
  const at = (offset: number) => new Date(START + offset).toISOString()
  const resend = async (from: number, to: number) =>
    (await operate('POST', `/reports/resend?from=${at(from)}&to=${at(to)}`)).json()
  const write = (...offsets: number[]) =>
    writeRows(
      env,
      offsets.map((offset) => row({ givenUpAt: START + offset })),
    )

  it('continue at the instant of the last one, which other reports may share', async () => {
    await write(...Array.from({ length: 200 }, (_, n) => Math.floor(n / 2)))
    expect(await resend(0, 999)).toEqual({ resent: 0, next: at(99) })
    expect(await resend(1, 999)).toEqual({ resent: 0, next: null })
  })

  it('continue after an instant that fills a page by itself', async () => {
    await write(...Array.from({ length: 201 }, () => 5000))
    expect(await resend(5000, 9999)).toEqual({ resent: 0, next: at(5001) })
  })
})
