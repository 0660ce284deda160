import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, runProgram } from '../../src/tools/program.ts'
import { wholeNumber } from '../../src/tools/usage-error.ts'
import { startBuiltHub } from '../e2e/built-hub.ts'
import { findAll } from './found.ts'
import { openPsp, openReceiver } from './outside.ts'
import { openShopsOf, openTraffic } from './traffic.ts'
import { type Sample, grown, measure } from './trend.ts'
import { build, migrate } from '../../src/tools/local/serve.ts'

const MINUTE = 60_000
const SAMPLE_EVERY = 2000
/**
 * Jobs that nobody pays are looked after when they are a minute old: until then there are ever more
 * objects at work.
 */
const FILLING = MINUTE / SAMPLE_EVERY
/** In a shorter run (minutes) what fills up cannot be told from what leaks. */
const SHORTEST = 4
/**
 * The runtime is started anew so often in the first half of the run: killed, and stopped in order,
 * by turns.
 */
const RESTARTS = 4

function pause(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/**
 * Runs a built hub for so many minutes under mixed traffic, with faults outside. In the first half
 * it is started anew again and again; in the second it runs on, and its processes are measured.
 * Resolves with what is wrong in the end.
 */
async function soak(minutes: number): Promise<string[]> {
  const endings: (() => unknown)[] = []
  try {
    const folder = await mkdtemp(join(tmpdir(), 'payment-hub-soak-'))
    endings.unshift(() => rm(folder, { recursive: true, force: true }))
    const built = { bundle: join(folder, 'bundle'), stateDir: join(folder, 'state') }
    await Promise.all([build(built.bundle), migrate(built.stateDir)])
    const hub = await startBuiltHub(built)
    endings.unshift(hub.stop)
    const [psp, receiver] = await Promise.all([openPsp(), openReceiver()])
    endings.unshift(psp.stop, receiver.stop)
    const shops = await openShopsOf(hub, psp)
    const traffic = openTraffic(hub.url, receiver.url, shops, psp)
    const half = (minutes * MINUTE) / 2
    for (let restarts = 1; restarts <= RESTARTS; restarts++) {
      await pause(half / RESTARTS)
      await (restarts % 2 === 0 ? hub.restart() : hub.restartKilled())
      console.log(`restart ${restarts} of ${RESTARTS}: ${traffic.known.length} jobs`)
    }
    const samples: Sample[] = []
    for (const end = Date.now() + half; Date.now() < end; await pause(SAMPLE_EVERY)) {
      const sample = await measure(hub.pid())
      if (sample) samples.push(sample)
      if (sample && samples.length % 15 === 1) console.log(inWords(sample, traffic.known.length))
    }
    await traffic.stop()
    psp.mends()
    console.log(
      `${traffic.known.length} jobs of ${traffic.attempts()} attempts were acknowledged; looking for them`,
    )
    const few = traffic.known.length < minutes * 10 ? ['there was hardly any traffic'] : []
    const leaks = minutes < SHORTEST ? [] : grown(samples, FILLING)
    return [...few, ...leaks, ...(await findAll(traffic, receiver))]
  } finally {
    for (const end of endings) await end()
  }
}

function inWords({ memory, files, objects }: Sample, jobs: number): string {
  return `${jobs} jobs; ${memory} MiB, ${files} open files, ${objects} objects in memory`
}

/** `npm run soak -- --minutes N`. */
const program = command({
  name: 'npm run soak --',
  does: 'runs a built hub under load and faults, and looks whether it leaks or loses anything',
  example: 'npm run soak -- --minutes 20',
  args: {
    minutes: {
      type: 'string',
      default: '20',
      valueHint: 'COUNT',
      description: 'how long',
      read: wholeNumber(1, 24 * 60),
    },
  },
  run: async ({ minutes }) => {
    const wrong = await soak(minutes)
    for (const line of wrong) console.log(line)
    const well =
      minutes < SHORTEST
        ? `Nothing was lost. Whether anything grows is seen in ${SHORTEST} minutes or more.`
        : 'Nothing grew, and nothing was lost.'
    console.log(wrong.length === 0 ? well : 'The soak failed.')
    return wrong.length === 0 ? 0 : 1
  },
})

process.env['CLOUDFLARE_CF_FETCH_ENABLED'] ??= 'false'
process.exitCode = await runProgram(program)
