import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Pos, openPos, operate } from './clients.ts'
import { startHubProgram } from './hub-program.ts'
import { openKillableHub } from './killable-hub.ts'
import { type Known, create, openLoad } from './load.ts'
import { openShops } from './shops.ts'

const CLIENTS = 6
const KILLS = 3
/** How long (ms) the hub is under load before the kill. */
const LOAD_FOR = 2500
/** A report that was lost, even twice, is sent again when its lease ends. */
const PATIENCE = 130_000

let hub: Awaited<ReturnType<typeof openKillableHub>>
let shops: Awaited<ReturnType<typeof openShops>>
let pos: Pos
const endings: (() => unknown)[] = []
beforeAll(async () => {
  shops = await openShops()
  endings.unshift(shops.close)
  hub = await openKillableHub()
  endings.unshift(hub.close)
  pos = await openPos(hub)
})
afterAll(async () => {
  for (const end of endings) await end()
})

function wait(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Expects every job that a client knows to exist, with a trace that has only grown. */
async function expectAllThere(known: readonly Known[]): Promise<void> {
  for (const one of known) {
    if (one.id === null) continue
    const { payments } = await pos.read(one.id)
    for (const trace of one.traces) expect(payments.steps.slice(0, trace.length)).toEqual(trace)
    one.traces.push(payments.steps)
  }
}

/** Repeats every create with a key. One that was answered returns the same job. */
async function expectSameJobs(known: readonly Known[]): Promise<void> {
  for (const one of known) {
    if (one.key === undefined) continue
    const again = await create(pos, shops.url, one)
    one.id ??= again.paymentJob
    expect(again.paymentJob).toBe(one.id)
  }
}

const END = { paid: 'SUCCESS', canceled: 'CANCELLED' }

/** The jobs whose status is not what the customer chose, or whose last report has another status. */
async function unfinished(known: readonly Known[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { id, chosen } of known) {
    if (id === null || chosen === null) continue
    const { status, amountPaid } = await pos.read(id)
    const last = shops.of(id).at(-1)
    if (status !== END[chosen]) wrong.push(`${id} was ${chosen}, and is ${status}`)
    else if (last?.status !== status || last.amountPaid !== amountPaid) {
      wrong.push(`${id} is ${status}, and was last reported as ${last?.status ?? 'nothing'}`)
    }
  }
  return wrong
}

it(
  'loses nothing when all its processes are killed under load, again and again',
  { timeout: 240_000 },
  async () => {
    const load = openLoad(pos, shops.url, CLIENTS)
    for (let kill = 1; kill <= KILLS; kill++) {
      load.start()
      await wait(LOAD_FOR)
      await hub.kill()
      await load.stop()
      await hub.restart()
      await expectAllThere(load.known)
      await expectSameJobs(load.known)
    }
    const deadline = Date.now() + PATIENCE
    let wrong = await unfinished(load.known)
    while (wrong.length > 0 && Date.now() < deadline) {
      await wait(2000)
      wrong = await unfinished(load.known)
    }
    expect(wrong).toEqual([])
    await expectAllThere(load.known)
    expect(load.oddities).toEqual([])
    // There was enough load for this to mean something, and each kill interrupted some of it.
    expect(load.known.filter(({ chosen }) => chosen === 'paid').length).toBeGreaterThan(10 * KILLS)
    expect(load.cutOff()).toBeGreaterThan(KILLS)
  },
)

it('what a signal stops still writes the rows of what was created last', async () => {
  const stopped = await openKillableHub()
  endings.unshift(stopped.close)
  const operator = { HUB_URL: stopped.url, OPERATOR_TOKEN: stopped.secrets['OPERATOR_TOKEN'] ?? '' }
  const verified = async () => {
    const program = startHubProgram(['index', 'verify', '--json'], operator)
    await program.ended
    return JSON.parse(program.out().join(''))
  }
  expect(await verified()).toEqual({ jobs: 0, wrong: [], wrongHours: [] })
  const till = await openPos(stopped)
  await Promise.all(['1', '2', '3'].map(() => till.create(shops.url)))
  await stopped.stop()
  await stopped.restart()
  expect((await operate<{ jobs: unknown[] }>(stopped, '/jobs')).jobs).toHaveLength(3)
  expect(await verified()).toEqual({ jobs: 3, wrong: [], wrongHours: [] })
})
