import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, runProgram } from '../../src/programs/program.ts'
import { table } from '../../src/programs/table.ts'
import { type Line, billOf, keepingOf, sumOf } from './bill.ts'
import { PRICES_READ_ON } from './prices.ts'
import type { Played, Scene } from './scenes.ts'
import { totalOf } from './worker/counts.ts'

const TOGETHER = 20
/**
 * The target for a million whole payments (USD). One at a time, each writes its own rows of the figures and
 * the directory; in traffic, payments share them.
 */
const TARGET = { alone: 16.75, inTraffic: 12.5 }
/** The target for a million tills (USD) that each wait a minute for a payment. */
const LIVE_TARGET = 1
const LIVE_SECONDS = { events: 60, waiting: 50 }
const STREAMS = 100
/** The bytes of a row with its place in the index, measured over a hundred thousand. */
const D1_BYTES = 270
const RETENTION_DAYS = 400

function usd(amount: number): string {
  return amount.toFixed(2)
}
function times(number: number): string {
  return Number.isInteger(number) ? String(number) : number.toFixed(2)
}

function isOf(names: readonly string[]) {
  return ({ name }: Scene) => names.includes(name)
}
/** Not part of the payment itself: a token serves a day's payments, and the purge comes 400 days later. */
const isLive = isOf(['watching', 'hearing of it'])
const [isToken, isForgetting] = [isOf(['token']), isOf(['forgetting, after the retention time'])]
function paymentOf({ scenes }: Played) {
  return scenes.filter((scene) => !isToken(scene) && !isForgetting(scene))
}

function showBill(title: string, lines: readonly Line[]): number {
  const shown = lines.filter((line) => line.times !== 0)
  console.log(`\n${title}\n`)
  console.log(
    table(
      ['operation', 'a payment', 'USD a million'],
      [
        ...shown.map((line) => [line.what, times(line.times), usd(line.cost).padStart(8)]),
        ['', 'total', usd(sumOf(lines)).padStart(8)],
      ],
    ),
  )
  return sumOf(lines)
}

/** Plays the payments on hubs that count their operations. */
async function playAll() {
  // Loaded late: these load the runtime, which `--help` does not need.
  const { playAlone, playWatched } = await import('./scenes.ts')
  const { cpuOfStreams, playTogether } = await import('./many.ts')
  const { tillByEvents, tillByWaiting } = await import('./tills.ts')
  const { buildMetered } = await import('./metered-hub.ts')
  const { migrate } = await import('../../src/local/serve.ts')
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-cost-'))
  try {
    const built = { bundle: join(folder, 'bundle'), stateDir: join(folder, 'state') }
    await Promise.all([buildMetered(built.bundle), migrate(built.stateDir)])
    const [paid, abandoned, byEvents, byWaiting] = await Promise.all([
      playAlone(built, 'paid'),
      playAlone(built, 'abandoned'),
      playWatched(built, LIVE_SECONDS.events, tillByEvents),
      playWatched(built, LIVE_SECONDS.waiting, tillByWaiting),
    ])
    const together = await playTogether(built, TOGETHER)
    const streamCpu = await cpuOfStreams(built, STREAMS, LIVE_SECONDS.events)
    return { paid, abandoned, byEvents, byWaiting, together, streamCpu }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Plays the payments and shows their bills. The exit code is 0 if the target is met. */
async function count(): Promise<number> {
  console.error(
    'One payment alone, one that is abandoned, two that a till waits for, and many side by side: about four minutes …',
  )
  const { paid, abandoned, byEvents, byWaiting, together, streamCpu } = await playAll()

  console.log(`List prices of ${PRICES_READ_ON}, beyond what the plan includes.`)
  const alone = showBill(
    'A payment alone: created, paid, returned, notified, reported, read',
    billOf(totalOf(paymentOf(paid)), together.cpu),
  )
  const inTraffic = showBill(
    `The same with ${TOGETHER} side by side, which share batches`,
    billOf(together.counts, together.cpu),
  )
  showBill(
    'An abandoned one: looked after for a day, expired, reported',
    billOf(totalOf(paymentOf(abandoned))),
  )
  const live = [
    showBill(
      `A till that waits for its payment by events, for ${LIVE_SECONDS.events} seconds: what that adds`,
      billOf(totalOf(byEvents.filter(isLive)), streamCpu),
    ),
    showBill(
      `The same by Prefer: wait, for ${LIVE_SECONDS.waiting} seconds`,
      billOf(totalOf(byWaiting.filter(isLive)), streamCpu),
    ),
  ]
  showBill('A token, which serves all payments of a day', billOf(totalOf(paid.scenes.filter(isToken))))
  const forgetting = showBill(
    `Forgetting a job after ${RETENTION_DAYS} days`,
    billOf(totalOf(paid.scenes.filter(isForgetting))),
  )
  const bytes = { object: paid.bytes, d1: D1_BYTES }
  const keeping = keepingOf(bytes, RETENTION_DAYS)
  console.log(
    `\nA million payments a day store ${((bytes.object + bytes.d1) / 1000).toFixed(2)} GB a day; keeping a million for ` +
      `${RETENTION_DAYS} days costs ${usd(keeping)} USD.`,
  )
  console.log(
    `A whole life, alone: ${usd(alone)} for the payment, ${usd(keeping)} for its storage, ${usd(forgetting)} for its deletion: ${usd(alone + keeping + forgetting)} USD a million.`,
  )
  console.log('\nPart by part, alone:')
  for (const { name, counts, notes } of paid.scenes) {
    console.log(`\n${name}: ${usd(sumOf(billOf(counts)))} USD a million`)
    console.log(notes.map((note) => `  ${note}`).join('\n'))
  }
  const isMet = alone <= TARGET.alone && inTraffic <= TARGET.inTraffic
  console.log(
    `\nTarget: ${TARGET.alone} USD a million whole payments alone, ${TARGET.inTraffic} in traffic. Alone ${usd(alone)}, in traffic ${usd(inTraffic)}: ${isMet ? 'met' : 'missed'}.`,
  )
  const isLiveMet = Math.max(...live) < LIVE_TARGET
  console.log(
    `Target: below ${LIVE_TARGET} USD a million tills that wait. ${live.map(usd).join(' and ')}: ${isLiveMet ? 'met' : 'missed'}.`,
  )
  return isMet && isLiveMet ? 0 : 1
}

/** `npm run cost`. */
const cost = command({
  name: 'npm run cost --',
  does: 'shows what a million payments cost at list price, counted on real ones',
  example: 'npm run cost',
  args: {},
  run: count,
})

process.exitCode = await runProgram(cost)
