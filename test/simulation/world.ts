import { env } from 'cloudflare:workers'
import { abortAllDurableObjects } from 'cloudflare:test'
import { vi } from 'vitest'
import worker from '../../src/index.ts'
import { ORIGIN } from '../support/hub/hub.ts'
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
import type { Kind, InstructionRequest } from './shop-instructions.ts'
import type { ObjectReading } from './time.ts'
import { type Traces, keepTraces } from './traces.ts'
import type { TestJob } from './test-job.ts'
import { promise } from './violation.ts'

/** An order of the shop. `jobs`: all ids in the hub's answers. */
export type Order = {
  key: string | null
  amount: number
  number: string
  method: string
  isManual: boolean
  /** The terminal of the order; undefined for a payment page. */
  terminal: string | undefined
  jobs: Set<string>
}

/** An operator's change that failed, and is repeated until it succeeds. */
type FailedChange = {
  what: string
  again: () => Promise<Response>
  done: (response: Response) => Promise<void> | void
}

/**
 * The index is in one database until 2031, and then in two more. Changes `env` itself, because the objects
 * write to the index too.
 */
const SHARDED: Env = Object.assign(env, { INDEX_SHARDS: 'DB; 2031-01: INDEX_1; 2032-01: INDEX_2' })

/** When the clock of a run starts: KV accepts no expiry after 2038, and no real alarm rings before 2030. */
const START = Date.UTC(2030, 0, 1)
const DAY = 86_400_000
/** Each seed of a runtime has its own days, so that the index of a day has only its jobs. */
const SEEDS = 250
const DAYS_APART = 9

/** Numbers the report addresses, so that a repeated seed gets no reports of its earlier jobs. */
let worlds = 0

/** Returns when (ms) the clock of a seed starts. */
export function startOf(seed: number): number {
  return START + (seed % SEEDS) * DAYS_APART * DAY
}

/**
 * The hub between simulated PSPs, a shop, customers and a platform. The seed decides everything that happens.
 */
export function makeWorld(seed: number, pos: KnownPos, currency: Currency) {
  vi.setSystemTime(startOf(seed))
  const timers = playedTimers()
  const late = lateAnswers(timers, () => platform.crash.now)
  const stopHub = () => void (platform.crash.now = true)
  const psp = modelPsps({ late, stopHub, guard: (check) => void guard(async () => check()) }, pos, currency)
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
      traces.note(job)
      expectDocumentedReport(headers, body)
      await reports.note(job.paymentJob, headers, body)
    }),
  )
  const reportUrl = `https://shop-${seed}-${++worlds}.nl/report`
  const platform = seizePlatform(
    async (request) => {
      if (psp.isPspHost(new URL(request.url).hostname)) return psp.answer(request)
      // Reports of an earlier schedule's jobs are not checked.
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

  /** Wakes objects: the first call after a crash may still fail. */
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
    /** The accounts of the route that an operator set last. */
    route: ['mollie'] as readonly string[],
    /** An operator's changes that failed because something was down. */
    failedChanges: [] as FailedChange[],
    /** What the platform accepted, but lost. */
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
    /** Jobs whose personal data an operator erased. */
    erased: new Set<string>(),
    /** The job in test mode, if the schedule has made one. */
    test: null as TestJob | null,
    /** The captures and refunds that the shop requested, and the acknowledged ones by their ids. */
    instructionRequests: [] as InstructionRequest[],
    acknowledged: new Map<string, { kind: Kind; job: string; amount: number }>(),
    /** The checkout addresses that customers were sent to, by job. */
    shown: new Map<string, Set<string>>(),
    /** Jobs whose customers cancelled at a PSP that keeps the payment open. */
    cancelledThere: new Set<string>(),
    /** The last reading of each object, as long as nothing has reached it since. */
    seen: new Map<string, ObjectReading>(),
    /** Objects whose alarm handler still runs: the platform rings no second alarm meanwhile. */
    ringing: new Set<string>(),
    crashes: () => crashes,
    /** Throws a violation that was found where it could not be thrown. */
    throwViolation() {
      if (broken !== undefined) throw broken
    },
    /** Starts work, and waits until it is done or held up. */
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
    /** Returns when (ms) the first caller loses patience. */
    firstEnd: () => Math.min(late.firstEnd(), timers.firstEnd()),
    /** Moves the clock until the first caller loses patience. */
    async loseFirstPatience() {
      vi.setSystemTime(Math.max(world.firstEnd(), Date.now()))
      if (late.firstEnd() <= Date.now()) late.giveUp()
      timers.pass()
      await world.settle()
    },
    /** Waits until all started work is done or held up again. */
    async settle() {
      await late.doneOrHeld(Promise.all(inFlight))
      world.seen.clear()
    },
    /** Finishes all started work. */
    async finish() {
      while (inFlight.size > 0) {
        late.release()
        await world.settle()
        if (inFlight.size > 0 && !late.anyHeld() && timers.any()) await world.loseFirstPatience()
      }
    },
    /** Waits until no object has an outside call under way. */
    async idle() {
      await late.doneWhen(() => !platform.isAsking())
      world.seen.clear()
    },
    /** Crashes all objects: they lose their memory and their work in progress. */
    async crash() {
      crashes++
      platform.crash.now = false
      crashing = abortAllDurableObjects().then(() => wake(world.ids()))
      await crashing
      world.seen.clear()
    },
    /** Waits until no crash is under way. */
    crashDone: () => crashing,
    /** Returns all jobs that may exist: those that the shop knows, and those with a payment at a PSP. */
    ids: (): string[] => [...new Set([...world.jobs, ...psp.payments.map(({ job }) => job)])],
    /**
     * Sends a request to the hub, which must not answer with a 5xx other than a 503, unless it crashed
     * meanwhile.
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
    /** Sends a request of the shop, with its token. */
    askAsShop: (path: string, init?: RequestInit): Promise<Response> => shopAsks(path, init),
    /** Sends a request of the shop in test mode. */
    askAsTestShop: (path: string, init?: RequestInit): Promise<Response> => testShopAsks(path, init),
    /** Sends a request of an operator. */
    askAsOperator: (method: 'GET' | 'POST', path: string, body: object = {}): Promise<Response> =>
      world.ask(`/operator/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      }),
    /** Returns the point of sale for the next schedule. */
    leftPos: (): KnownPos => ({
      ...pos,
      apiKey: access.apiKey,
      signingSecret: access.secrets?.[0] ?? pos.signingSecret,
      until: Math.max(Date.now(), access.formerUntil),
      keys: psp.newestKeys(),
      isRouted: world.isRouted,
    }),
    async end() {
      psp.clearFaults()
      shop.clearFaults()
      await world.finish()
      platform.restore()
      vi.useRealTimers()
      // Old objects take memory: every tenth run frees it.
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

/** Returns whether a 503 is a problem document, or the page that asks the customer to come back. */
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
