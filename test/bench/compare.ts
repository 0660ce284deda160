import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { table } from '../../src/programs/table.ts'
import { withRelease } from '../../src/rehearsal/work-tree.ts'
import type { Run } from './bench.ts'
import { gzippedSize, startupCpu } from './bundle.ts'
import { type Requests, type Round, load } from './load.ts'
import { newFolder, quiet } from './runtime.ts'
import {
  type Hub,
  type Server,
  createJobs,
  creates,
  openShop,
  reads,
  startBare,
  startHub,
} from './servers.ts'
import { build } from '../../src/local/serve.ts'

const AT_ONCE = [1, 16, 64] as const
const ROUNDS = { full: 11, quick: 3 }
/** How often each Worker starts. The profiler samples once in a millisecond, so one start says little. */
const STARTS = { full: 9, quick: 3 }
/**
 * A round of creates is a multiple of a hundred rows, which leave the queue at once: no row is left for the
 * next round.
 */
const TURNS = { create: { 1: 100, 16: 200, 64: 200 }, read: { 1: 200, 16: 600, 64: 600 } }
/** The jobs that the reads are spread over. */
const MANY = 300

type What = 'create' | 'read'
type Figure = 'rps' | 'p99' | 'cpu'
type Target = { says: string; met: (ratio: number) => boolean }

const atLeast = (bound: number): Target => ({ says: `≥ ${bound}`, met: (ratio) => ratio >= bound })
const atMost = (bound: number): Target => ({ says: `≤ ${bound}`, met: (ratio) => ratio <= bound })

/** The limits of the hub's figure divided by the bare Worker's. */
const TARGETS: Record<What, Partial<Record<Figure, Target>>> = {
  create: { rps: atLeast(0.85), p99: atMost(1.5), cpu: atMost(1.25) },
  read: { rps: atLeast(1) },
}

/** What the hub is measured beside, and the limits of their ratio. */
type Other = {
  name: string
  start: (hub: Hub, order: string) => Promise<Server>
  /** The folder of its build, if its start and size are comparable. */
  bundle?: string
  targets: typeof TARGETS | null
}

/** Measures the hub beside the bare Worker, or beside the hub of another tag or commit. */
export function runComparison(run: Run): Promise<boolean> {
  const { against, tell } = run
  if (against === undefined) return compare(run, { name: 'bare', start: startBare, targets: TARGETS })
  return withRelease(against, async (tree, name) => {
    // The packages come first: the imports below need them.
    await installPackages(tree)
    const local = (await import(
      join(tree, 'src/local/serve.ts')
    )) as typeof import('../../src/local/serve.ts')
    const servers = (await import(join(tree, 'test/bench/servers.ts'))) as typeof import('./servers.ts')
    const bundle = newFolder()
    tell(`building the Worker of ${name}`)
    await local.build(bundle)
    return compare(run, { name, start: () => servers.startHub(bundle), bundle, targets: null })
  })
}

/** Gives a tree the packages that its lock file names: the project's own, if both name the same. */
async function installPackages(tree: string): Promise<void> {
  const [own, other] = await Promise.all([PROJECT, tree].map(packagesOf))
  // Its build names files of packages inside its folder.
  if (own === other) return symlink(join(PROJECT, 'node_modules'), join(tree, 'node_modules'))
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree })
}

const Lock = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ packages: v.looseObject({ '': v.looseObject({}) }) }),
)

/** Returns the packages of a lock file, without the project itself, as text. */
async function packagesOf(tree: string): Promise<string> {
  const { packages } = v.parse(Lock, await readFile(join(tree, 'package-lock.json'), 'utf8'))
  return JSON.stringify({ ...packages, '': null })
}

/** Measures both in one run. They swap places in every second round. */
async function compare({ quick, tell, show, line }: Run, other: Other): Promise<boolean> {
  const bundle = newFolder()
  tell('building the Worker')
  await build(bundle)
  const order = await openShop()
  const rows: string[][] = []
  for (const what of ['create', 'read'] as const) {
    for (const atOnce of AT_ONCE) {
      // Fresh servers: the hub checks unpaid jobs when they are a minute old, which would disturb the
      // measurement.
      const hub = await startHub(bundle)
      const servers = { hub, other: await other.start(hub, order) }
      const ids = {
        hub: await createJobs(hub, order, MANY),
        other: await createJobs(servers.other, order, MANY),
      }
      const requestsTo = (name: Name): Requests =>
        what === 'create' ? creates(servers[name], order) : reads(servers[name], ids[name])
      const pace = { connections: atOnce, amount: TURNS[what][atOnce] }
      const rounds = await playRounds(servers, requestsTo, pace, quick ? ROUNDS.quick : ROUNDS.full)
      const measured = { hub: figuresOf(rounds.hub), [other.name]: figuresOf(rounds.other) }
      const ratios = ratiosOf(rounds)
      line({ what, atOnce, ...measured, ratios })
      const speeds = Object.values(measured).map(({ rps }) => `${rps.toFixed(0)}/s`)
      tell(`${what} at ${atOnce}: ${speeds.join(', ')}`)
      rows.push([
        what,
        String(atOnce),
        ...Object.values(measured).map(
          ({ rps, p50, p99, cpu }) =>
            `${rps.toFixed(0)}/s ${p50.toFixed(1)} ${p99.toFixed(1)} ${cpu?.toFixed(2) ?? '-'}`,
        ),
        ...(['rps', 'p99', 'cpu'] as const).map((figure) =>
          cellOf(ratios[figure], other.targets?.[what][figure]),
        ),
      ])
      await Promise.all([hub.stop(), servers.other.stop()])
    }
  }
  tell('starting')
  const bundles = new Map([['hub', bundle]])
  if (other.bundle !== undefined) bundles.set(other.name, other.bundle)
  const weights = await weightsOf(bundles, quick ? STARTS.quick : STARTS.full)
  line({ what: 'start', ...Object.fromEntries(weights) })
  const head = ['what', 'at once', 'hub: p50 p99 ms, CPU ms', other.name, 'requests/s', 'p99', 'CPU']
  show(table(head, rows))
  show(
    'The last three columns: the hub’s figure divided by the other’s, the lowest and highest of the rounds, and the target if there is one.',
  )
  const [first, second] = [...weights.values()]
  const row = (what: string, figure: keyof Weight, unit: string) => [
    what,
    ...Array.from(weights.values(), (one) => `${one[figure].toFixed(1)} ${unit}`),
    ...(first && second ? [(first[figure] / second[figure]).toFixed(2)] : []),
  ]
  show(
    table(
      ['the Worker', ...weights.keys(), ...(second ? ['ratio'] : [])],
      [row('start, CPU', 'startupMilliseconds', 'ms'), row('upload, gzipped', 'gzippedKibibytes', 'KiB')],
    ),
  )
  return true
}

/** The size of a Worker's upload, and the CPU time of its start: the median of several. */
type Weight = { gzippedKibibytes: number; startupMilliseconds: number }

/** Measures the Workers of build folders. They take turns, and swap places in every second round. */
async function weightsOf(bundles: ReadonlyMap<string, string>, starts: number): Promise<Map<string, Weight>> {
  const times: [name: string, milliseconds: number][] = []
  for (let round = 0; round < starts; round++)
    for (const [name, bundle] of round % 2 === 0 ? bundles : [...bundles].toReversed())
      times.push([name, await startupCpu(bundle)])
  const weights = new Map<string, Weight>()
  for (const [name, bundle] of bundles) {
    const own = times.filter(([one]) => one === name).map(([, time]) => time)
    const gzippedKibibytes = (await gzippedSize(bundle)) / 1024
    weights.set(name, { gzippedKibibytes, startupMilliseconds: median(own) })
  }
  return weights
}

type Name = 'hub' | 'other'
type Rounds = Record<Name, Round[]>

async function playRounds(
  servers: Record<Name, Server>,
  requestsTo: (name: Name) => Requests,
  pace: { connections: number; amount: number },
  count: number,
): Promise<Rounds> {
  const rounds: Rounds = { hub: [], other: [] }
  for (const { pids } of Object.values(servers)) await quiet(pids)
  for (let round = 0; round < count; round++) {
    const names = ['hub', 'other'] as const
    for (const name of round % 2 === 0 ? names : names.toReversed())
      rounds[name].push(await load(servers[name], requestsTo(name), pace))
  }
  return rounds
}

/** The figures of all rounds together: requests a second, percentiles in ms, CPU time in ms a request. */
type Figures = { rps: number; p50: number; p99: number; cpu: number | null }

function figuresOf(rounds: readonly Round[]): Figures {
  const amount = rounds.reduce((sum, round) => sum + round.amount, 0)
  const latencies = rounds.flatMap((round) => round.latencies).toSorted((a, b) => a - b)
  const cpus = rounds.map(({ cpu }) => cpu ?? NaN)
  const cpu = cpus.reduce((sum, each) => sum + each, 0)
  return {
    rps: median(rounds.map((round) => round.amount / round.seconds)),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpu: Number.isNaN(cpu) ? null : (cpu * 1000) / amount,
  }
}

/**
 * The hub's figure divided by the other's, with the lowest and highest of the rounds: far apart if the
 * machine was busy.
 */
type Ratio = { value: number; low: number; high: number }

/**
 * For requests a second, the median of the rounds' ratios; for p99 and CPU time, the ratio of all rounds
 * together.
 */
function ratiosOf({ hub, other }: Rounds): Record<Figure, Ratio> {
  const allRounds = { hub: figuresOf(hub), other: figuresOf(other) }
  const ratioOf = (figure: Figure): Ratio => {
    const each = hub.map((round, place) => {
      const same = other[place]
      return (figuresOf([round])[figure] ?? NaN) / (same ? (figuresOf([same])[figure] ?? NaN) : NaN)
    })
    const value = (allRounds.hub[figure] ?? NaN) / (allRounds.other[figure] ?? NaN)
    return {
      value: figure === 'rps' ? median(each) : value,
      low: Math.min(...each),
      high: Math.max(...each),
    }
  }
  return { rps: ratioOf('rps'), p99: ratioOf('p99'), cpu: ratioOf('cpu') }
}

function cellOf({ value, low, high }: Ratio, target: Target | undefined): string {
  if (Number.isNaN(value)) return '-'
  const mark = target ? ` ${target.met(value) ? '✓' : '✗'} ${target.says}` : ''
  return `${value.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})${mark}`
}

/** Returns a percentile of sorted values (nearest rank); NaN if there are none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? NaN
}

/** Returns the median; NaN if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2
}
