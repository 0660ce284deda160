import { env } from 'cloudflare:workers'
import { abortAllDurableObjects } from 'cloudflare:test'
import { vi } from 'vitest'
import worker from '../../src/index.ts'
import { ORIGIN } from '../support/hub.ts'
import type { Currency } from './amounts.ts'
import type { KnownPos } from './known-pos.ts'
import { documented, expectDocumentedReport } from '../support/openapi/documented.ts'
import { lateAnswers } from './late.ts'
import { playedTimers } from './timers.ts'
import { type Access, posClient } from './pos-client.ts'
import { seizePlatform } from './platform.ts'
import { modelPsps } from './psp.ts'
import { keepJournals } from './journal-promises.ts'
import { keepReports } from './reports-seen.ts'
import { modelShop } from './shop.ts'
import type { Kind, Wanted } from './shop-instructions.ts'
import type { Inside } from './time.ts'
import { type Traces, keepTraces } from './traces.ts'
import type { TestJob } from './test-job.ts'
import { promise } from './violation.ts'

/** An order of the shop. `jobs` are the ids it was ever answered with. */
export type Order = {
  key: string | null
  amount: number
  number: string
  method: string
  isManual: boolean
  /** The terminal that it is for; undefined for a page. */
  terminal: string | undefined
  jobs: Set<string>
}

/** A change that an operator makes again until it is done. */
type Owed = {
  what: string
  again: () => Promise<Response>
  done: (response: Response) => Promise<void> | void
}

/**
 * The index is in one database until 2031, and in two more after it. The objects write to it as
 * well.
 */
const SHARDED: Env = Object.assign(env, { INDEX_SHARDS: 'DB; 2031-01: INDEX_1; 2032-01: INDEX_2' })

/**
 * Where the clock of a run starts. KV takes no expiry after 2038, and no real alarm rings before
 * 2030.
 */
const START = Date.UTC(2030, 0, 1)
const DAY = 86_400_000
/**
 * Seeds that a runtime plays have days of their own, so that the index of a day can be asked for
 * the jobs of one.
 */
const SEEDS = 250
const DAYS_APART = 9

/** A seed that is played again meets no reports of its jobs of before. */
let worlds = 0

/** When (ms) the clock of a seed begins. */
export function startOf(seed: number): number {
  return START + (seed % SEEDS) * DAYS_APART * DAY
}

/**
 * The hub amid a PSP, a shop, customers and a platform that are all played. Everything of it is
 * drawn from the seed.
 */
export function makeWorld(seed: number, pos: KnownPos, currency: Currency) {
  vi.setSystemTime(startOf(seed))
  const timers = playedTimers()
  const late = lateAnswers(timers)
  const psp = modelPsps(late, (check) => void guard(async () => check()), pos, currency)
  const journals = keepJournals()
  const traces: Traces = keepTraces(
    psp,
    journals,
    ({ job, checkoutUrl }) => world.shown.get(job)?.has(checkoutUrl) === true,
  )
  const access: Access = {
    apiKey: pos.apiKey,
    secrets: [pos.signingSecret],
    formerUntil: 0,
    ended: null,
    isDisabled: false,
  }
  const reports = keepReports(() => access.secrets)
  const shop = modelShop(late, (job, headers, body) =>
    guard(async () => {
      traces.saw(job)
      expectDocumentedReport(headers, body)
      await reports.saw(job.paymentJob, headers, body)
    }),
  )
  const reportUrl = `https://shop-${seed}-${++worlds}.nl/report`
  const platform = seizePlatform(
    async (request) => {
      if (psp.isAt(new URL(request.url).hostname)) return psp.answer(request)
      // A report of a job that an earlier schedule has left is none of this one's.
      return request.url === reportUrl ? shop.answer(request) : new Response('ok')
    },
    mulberry32(seed),
    timers,
  )
  const inFlight = new Set<Promise<unknown>>()
  let broken: unknown
  let crashes = 0
  let crashing: Promise<void> = Promise.resolve()
  const guard = async (check: () => Promise<void>): Promise<void> => {
    try {
      await check()
    } catch (error) {
      broken ??= error
    }
  }

  /** The first call after a crash may still meet the end of the old object. */
  const wake = async (ids: readonly string[]): Promise<void> => {
    await Promise.all(
      ids.map((id) =>
        platform
          .objectOf(id)
          .read()
          .catch(() => {}),
      ),
    )
  }

  const world = {
    pos,
    currency,
    reportUrl,
    seed,
    env: SHARDED,
    access,
    /** Whether an operator has changed the routes of the point of sale. */
    isRouted: pos.isRouted,
    /** The accounts of the route that an operator has ordered last. */
    route: ['mollie'] as readonly string[],
    /** Changes that an operator is still to make: something was down. */
    owed: [] as Owed[],
    /** What the platform has lost although it had taken it. */
    lost: { alarms: new Set<string>(), rows: false },
    late,
    psp,
    shop,
    traces,
    journals,
    reports,
    platform,
    orders: [] as Order[],
    jobs: [] as string[],
    /** The job in test mode, if the schedule has made one. */
    test: null as TestJob | null,
    /** The captures and refunds that were asked for, and those that were acknowledged, by their ids. */
    wanted: [] as Wanted[],
    acknowledged: new Map<string, { kind: Kind; job: string; amount: number }>(),
    /** The checkout addresses that customers were sent to, by job. */
    shown: new Map<string, Set<string>>(),
    /** Jobs whose customers have gone back from the PSP's page without paying. */
    cancelledThere: new Set<string>(),
    /** What was last seen inside objects, for as long as nothing has reached them since. */
    seen: new Map<string, Inside>(),
    /** Objects whose alarm is still at work: the platform rings no second one beside it. */
    ringing: new Set<string>(),
    crashes: () => crashes,
    /** Throws what was found broken where it could not be thrown. */
    confess() {
      if (broken !== undefined) throw broken
    },
    /** Lets work go on for as long as nothing holds it up; what is held up goes on later. */
    async start(work: Promise<unknown>) {
      const guarded: Promise<void> = work.then(
        () => void inFlight.delete(guarded),
        (error: unknown) => {
          inFlight.delete(guarded)
          broken ??= error
        },
      )
      inFlight.add(guarded)
      if (psp.isLate() || shop.isLate() || late.anyHeld() || platform.crash.next)
        await late.doneOrHeld(guarded)
      else await late.doneOrTimed(guarded)
    },
    /** When somebody first loses patience. */
    firstEnd: () => Math.min(late.firstEnd(), timers.firstEnd()),
    /** Moves the clock until somebody loses patience. */
    async loseFirstPatience() {
      vi.setSystemTime(Math.max(world.firstEnd(), Date.now()))
      if (late.firstEnd() <= Date.now()) late.giveUp()
      timers.pass()
      await world.settle()
    },
    /** What was started goes on, until it is done or held up again. */
    async settle() {
      await late.doneOrHeld(Promise.all(inFlight))
      world.seen.clear()
    },
    /** What was started comes to its end. */
    async finish() {
      while (inFlight.size > 0) {
        late.release()
        await world.settle()
        if (inFlight.size > 0 && !late.anyHeld() && timers.any()) await world.loseFirstPatience()
      }
    },
    /** Waits for what objects do while nobody waits for it. */
    async rested() {
      await late.doneWhen(() => !platform.isAsking())
      world.seen.clear()
    },
    /** All objects lose their memory and what they were at. */
    async crash() {
      crashes++
      platform.crash.now = false
      crashing = abortAllDurableObjects().then(() => wake(world.ids()))
      await crashing
      world.seen.clear()
    },
    /** Waits until no crash is going on. */
    calm: () => crashing,
    /** Every job there may be: those that the shop knows, and those that the PSP was told of. */
    ids: (): string[] => [...new Set([...world.jobs, ...psp.payments.map(({ job }) => job)])],
    /**
     * A request to the hub. It never answers with a fault of its own, other than a 503; a crash
     * meanwhile may be one.
     */
    async ask(path: string, init: RequestInit = {}): Promise<Response> {
      const before = crashes
      const request = new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init })
      const answered = await worker.fetch(request as Parameters<typeof worker.fetch>[0], SHARDED)
      const response = await documented(request, answered)
      world.seen.clear()
      const { status } = response
      const fair = status < 500 || (status === 503 && isHonest(response)) || crashes > before
      promise(fair, `${init.method ?? 'GET'} ${path} was answered with ${status}`)
      return response
    },
    /** A request of the shop, under its token. */
    askAsShop: (path: string, init?: RequestInit): Promise<Response> => shopAsks(path, init),
    /** A request of the shop in test mode. */
    askAsTestShop: (path: string, init?: RequestInit): Promise<Response> => testShopAsks(path, init),
    /** A request of an operator. */
    askAsOperator: (method: 'GET' | 'POST', path: string, body: object = {}): Promise<Response> =>
      world.ask(`/operator/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      }),
    /** The point of sale as it is now, for the next schedule. */
    leaves: (): KnownPos => ({
      ...pos,
      apiKey: access.apiKey,
      signingSecret: access.secrets?.[0] ?? pos.signingSecret,
      until: Math.max(Date.now(), access.formerUntil),
      keys: psp.newestKeys(),
      isRouted: world.isRouted,
    }),
    async end() {
      psp.mends()
      shop.mends()
      await world.finish()
      platform.restore()
      vi.useRealTimers()
      // The objects of some runs may lie about, but not those of hundreds.
      if (seed % 10 === 0) await abortAllDurableObjects()
    },
  }
  const shopAsks = posClient(
    () => access,
    (path, init) => world.ask(path, init),
  )
  const { apiKey, signingSecret } = pos.test
  const testShopAsks = posClient(
    () => ({ apiKey, secrets: [signingSecret], formerUntil: 0, ended: null, isDisabled: false }),
    (path, init) => world.ask(path, init),
  )
  return world
}
export type World = ReturnType<typeof makeWorld>

/** A 503 is a problem, or the page that tells the customer to come back. */
function isHonest({ headers }: Response): boolean {
  return /^(application\/problem\+json|text\/html)/.test(headers.get('content-type') ?? '')
}

/** A small seeded generator (Tommy Ettinger's mulberry32). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
