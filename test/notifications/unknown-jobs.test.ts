import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type JobJson, create, createJob, order, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'

let world: ReturnType<typeof outside>
let token: string
/** A network of its own for each test: those that ask too much are remembered. */
let network: string
let last = 0
beforeEach(async () => {
  network = `192.0.2.${++last}`
  world = outside()
  token = await tokenFor(await makeLivePos())
})
afterEach(() => {
  vi.restoreAllMocks()
  world.stop()
})

function notify(account: string, id: string, reference = 'tr_x') {
  return send(`/notifications/${account}/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ id: reference }),
    headers: { 'cf-connecting-ip': network },
  })
}

/** How often the objects of these ids were asked for. Jobs of other tests go on meanwhile. */
function askedObjects() {
  const spy = vi.spyOn(env.PAYMENT_JOB, 'getByName')
  return (ids: readonly string[]) => spy.mock.calls.filter(([name]) => ids.includes(name)).length
}

/** The same for ids that nothing is under. No object is started: so many of them take a busy machine most of a minute. */
function askedEmptyObjects(ids: readonly string[]) {
  const { getByName } = env.PAYMENT_JOB
  const empty = { beginPull: () => Promise.resolve(null) } as unknown as ReturnType<typeof getByName>
  const asked = askedObjects()
  vi.mocked(env.PAYMENT_JOB.getByName).mockImplementation((name, options) =>
    ids.includes(name) ? empty : getByName.call(env.PAYMENT_JOB, name, options),
  )
  return asked
}

/** Counts as the platform does, but never begins a new minute. */
function countingLimit() {
  const counts = new Map<string, number>()
  vi.spyOn(env.UNKNOWN_RETURNS_PER_ADDRESS, 'limit').mockImplementation(async ({ key }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return { success: (counts.get(key) ?? 0) <= 600 }
  })
}

function invented(count: number): string[] {
  return Array.from({ length: count }, () => crypto.randomUUID())
}

/** Whether a notification about a job reaches its PSP: it is paid there, and then the job is. */
async function isHeeded(id: string): Promise<boolean> {
  const { announcement, account } = await stored(id)
  if (announcement.is !== 'announced') throw new Error('the job was not announced')
  world.fake.setStatus('paid')
  expect((await notify(account, id, announcement.reference)).status).toBe(200)
  return (await stored(id)).status === 'SUCCESS'
}

describe('notifications of jobs that do not exist, which nobody has signed', () => {
  it('start 601 objects a minute for one network and account at most, and get a 200 each', async () => {
    countingLimit()
    const ids = invented(640)
    const asked = askedEmptyObjects(ids)
    const answers = new Set<number>()
    for (const id of ids) answers.add((await notify('sandbox', id)).status)
    expect(answers).toEqual(new Set([200]))
    expect(asked(ids)).toBe(601)
  })

  it('are looked up each time: a PSP may notify before the job is there', async () => {
    const asked = askedObjects()
    const [id = ''] = invented(1)
    await notify('sandbox', id)
    await notify('sandbox', id)
    expect(asked([id])).toBe(2)
  })
})

describe('a network from which too many of them came for an account', () => {
  const lockOut = async (account: string) => {
    const spy = vi.spyOn(env.UNKNOWN_RETURNS_PER_ADDRESS, 'limit').mockResolvedValue({ success: false })
    await notify(account, crypto.randomUUID())
    spy.mockRestore()
    const asked = askedObjects()
    const ids = invented(1)
    await notify(account, ids[0] ?? '')
    expect(asked(ids)).toBe(0)
  }
  const keyedJob = async (): Promise<string> => {
    const made = await create(token, order, { 'idempotency-key': crypto.randomUUID() })
    return (await made.json<JobJson>()).paymentJob
  }

  it('still notifies of jobs whose id has the mark of the hub', async () => {
    const { paymentJob: id } = await createJob(token)
    await lockOut((await stored(id)).account)
    expect(await isHeeded(id)).toBe(true)
  })

  it('still notifies of jobs without a mark that were found before', async () => {
    const id = await keyedJob()
    expect((await send(`/pay/${id}`)).status).toBe(303)
    await lockOut((await stored(id)).account)
    expect(await isHeeded(id)).toBe(true)
  })

  it('still notifies of any job at another account, and other networks do at this one', async () => {
    const id = await keyedJob()
    await lockOut('sandbox')
    expect(await isHeeded(id)).toBe(true)
    const other = await keyedJob()
    await lockOut((await stored(other)).account)
    network = `198.51.100.${last}`
    expect(await isHeeded(other)).toBe(true)
  })
})
