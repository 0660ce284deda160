import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isMarkedJobId, markedJobId } from '../../src/job/marked-id.ts'
import { type JobJson, create, createJob, makePos, order, send, tokenFor } from '../support/hub.ts'
import { objectOf, stored } from '../support/job.ts'

/** A network of its own for each test: those that ask too much are remembered. */
let network: string
let last = 0
beforeEach(() => {
  network = `203.0.113.${++last}`
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function visit(id: string, from = network, what = 'pay') {
  return send(`/${what}/${id}`, { headers: { 'cf-connecting-ip': from } })
}

/** The ids of those objects that were asked for. Jobs of other tests go on meanwhile. */
function askedObjects() {
  const spy = vi.spyOn(env.PAYMENT_JOB, 'getByName')
  return (ids: readonly string[]) => ids.filter((id) => spy.mock.calls.some(([name]) => name === id)).length
}

/** Counts as the platform does, but never begins a new minute. */
function countingLimits() {
  for (const [binding, limit] of [
    [env.UNKNOWN_JOBS_PER_ADDRESS, 60],
    [env.UNKNOWN_RETURNS_PER_ADDRESS, 600],
  ] as const) {
    const counts = new Map<string, number>()
    vi.spyOn(binding, 'limit').mockImplementation(async ({ key }) => {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      return { success: (counts.get(key) ?? 0) <= limit }
    })
  }
}

async function keyedJob(): Promise<string> {
  const key = { 'idempotency-key': crypto.randomUUID() }
  const made = await create(await tokenFor(await makePos()), order, key)
  return (await made.json<JobJson>()).paymentJob
}

function invented(count: number): string[] {
  return Array.from({ length: count }, () => crypto.randomUUID())
}

describe('a random job id', () => {
  it('is a UUID of version 4 that carries the mark of this hub, and no other one', async () => {
    const { paymentJob: id } = await createJob(await tokenFor(await makePos()))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await isMarkedJobId(env.SIGNING_ROOT, id)).toBe(true)
    expect(await isMarkedJobId('another root of another hub of 32', id)).toBe(false)
    const other = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
    expect(await isMarkedJobId(env.SIGNING_ROOT, other)).toBe(false)
    const elsewhere = (id.startsWith('0') ? '1' : '0') + id.slice(1)
    expect(await isMarkedJobId(env.SIGNING_ROOT, elsewhere)).toBe(false)
  })

  it('differs each time, in the part that no mark decides', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => markedJobId(env.SIGNING_ROOT)))
    expect(new Set(ids.map((id) => id.slice(0, 30))).size).toBe(100)
  })
})

describe('payments that do not exist', () => {
  it.each([
    ['pay', 61],
    ['return', 601],
  ])(
    'are limited: /%s starts %i objects a minute for one network at most',
    { timeout: 90_000 },
    async (what, most) => {
      countingLimits()
      const asked = askedObjects()
      const ids = invented(most + 40)
      const answers: number[] = []
      for (const id of ids) answers.push((await visit(id, network, what)).status)
      expect(asked(ids)).toBe(most)
      expect(answers.slice(0, most)).toEqual(Array.from({ length: most }, () => 404))
      expect(new Set(answers.slice(most))).toEqual(new Set([429]))
    },
  )

  it('start one object each in ten seconds, however often they are asked for', async () => {
    vi.setSystemTime(Date.now())
    const asked = vi.spyOn(env.PAYMENT_JOB, 'getByName')
    const [id = ''] = invented(1)
    const starts = () => asked.mock.calls.filter(([name]) => name === id).length
    for (let hit = 0; hit < 20; hit++) expect((await visit(id)).status).toBe(404)
    expect(starts()).toBe(1)
    vi.setSystemTime(Date.now() + 10_000)
    await visit(id)
    expect(starts()).toBe(2)
  })
})

describe('a customer whose neighbours asked for too many of them', () => {
  const neighboursAsk = async () => {
    countingLimits()
    const answers = await Promise.all(invented(70).map((id) => visit(id)))
    expect(answers.some(({ status }) => status === 404)).toBe(true)
    expect((await visit(crypto.randomUUID())).status).toBe(429)
  }

  it('comes back from the PSP to a job with a key, though it was never seen before', async () => {
    await neighboursAsk()
    expect((await visit(await keyedJob(), network, 'return')).status).toBe(200)
  })

  it('pays a job with a key that was found before, from any network', async () => {
    const id = await keyedJob()
    expect((await visit(id, '198.51.100.201')).status).toBe(303)
    await neighboursAsk()
    expect((await visit(id)).status).toBe(303)
  })

  it('is served for half an hour after the job was last found, and then as before', async () => {
    vi.setSystemTime(Date.now())
    const id = await keyedJob()
    await visit(id)
    vi.setSystemTime(Date.now() + 30 * 60_000)
    await neighboursAsk()
    expect((await visit(id)).status).toBe(429)
  })

  it('gains nothing for a job that is gone: it is unknown once more, and then limited', async () => {
    const id = await keyedJob()
    await visit(id)
    await neighboursAsk()
    const getByName = env.PAYMENT_JOB.getByName.bind(env.PAYMENT_JOB)
    vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation((name) =>
      getByName(name === id ? crypto.randomUUID() : name),
    )
    expect((await visit(id)).status).toBe(404)
    vi.setSystemTime(Date.now() + 10_000)
    expect((await visit(id)).status).toBe(429)
  })
})

describe('a network that has asked for too many of them', () => {
  beforeEach(async () => {
    vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit').mockResolvedValueOnce({ success: false })
    await visit(crypto.randomUUID())
    vi.restoreAllMocks()
  })

  it('is told to come back in a minute, with a page, and then is answered again', async () => {
    vi.setSystemTime(Date.now())
    const refused = await visit(crypto.randomUUID())
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(refused.headers.get('content-type')).toMatch(/^text\/html/)
    vi.setSystemTime(Date.now() + 60_000)
    expect((await visit(crypto.randomUUID())).status).toBe(404)
  })

  it('still pays what has a marked id', async () => {
    const { paymentJob } = await createJob(await tokenFor(await makePos()))
    expect((await visit(paymentJob)).status).toBe(303)
  })

  it('holds up no other network, whose customers pay jobs with keys, and those of the release before', async () => {
    const token = await tokenFor(await makePos())
    const keyed = await (await create(token, order, { 'idempotency-key': 'k-1' })).json<JobJson>()
    const { paymentJob } = await createJob(token)
    const { fingerprint, transactionId, pos, account, origin, order: asked } = await stored(paymentJob)
    const [old = ''] = invented(1)
    const answer = {
      is: 'announced',
      reference: 'tr_old',
      checkoutUrl: 'https://psp.nl/',
      expiresAt: null,
    } as const
    await objectOf(old).create({
      id: old,
      fingerprint,
      transactionId,
      pos,
      account,
      origin,
      order: asked,
      answer,
    })
    for (const id of [keyed.paymentJob, old]) {
      expect((await visit(id)).status).toBe(429)
      expect((await visit(id, '198.51.100.200')).status).toBe(303)
    }
  })
})
