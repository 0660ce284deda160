import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command } from '../../src/cli/command.ts'
import { runProgram } from '../../src/cli/program.ts'
import { table } from '../../src/cli/table.ts'
import { type Line, billOf, keepingOf, sumOf } from './bill.ts'
import { PRICES_READ_ON } from './prices.ts'
import type { Played, Scene } from './scenes.ts'

const TOGETHER = 20
const TARGET = 20
/** What a row takes with its place in the index beside it, measured over a hundred thousand. */
const D1_BYTES = 270
const RETENTION_DAYS = 400

const usd = (amount: number): string => amount.toFixed(2)
const times = (count: number): string => (Number.isInteger(count) ? String(count) : count.toFixed(2))

const isOf =
  (names: readonly string[]) =>
  ({ name }: Scene) =>
    names.includes(name)
/** A token serves a day's payments, and forgetting comes 400 days later: neither is part of the payment itself. */
const [isToken, isForgetting] = [isOf(['token']), isOf(['forgetting, after the retention time'])]
const paymentOf = ({ scenes }: Played) => scenes.filter((scene) => !isToken(scene) && !isForgetting(scene))

const showBill = (title: string, lines: readonly Line[]): number => {
  const shown = lines.filter(({ times: count }) => count !== 0)
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

/** Plays the payments on hubs that count what they do. */
const playAll = async () => {
  // Loaded only now: they load the runtime, and `--help` need not wait for that.
  const { playAlone, playTogether } = await import('./scenes.ts')
  const { buildMetered } = await import('./metered-hub.ts')
  const { migrate } = await import('../../src/cli/local/serve.ts')
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-cost-'))
  try {
    const built = { bundle: join(folder, 'bundle'), stateDir: join(folder, 'state') }
    await Promise.all([buildMetered(built.bundle), migrate(built.stateDir)])
    const [paid, abandoned] = await Promise.all([playAlone(built, 'paid'), playAlone(built, 'abandoned')])
    return { paid, abandoned, together: await playTogether(built, TOGETHER) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Plays the payments, and shows their bills. The exit code is 0 when the target is met. */
const count = async (): Promise<number> => {
  const { totalOf } = await import('./scenes.ts')
  console.error('One payment alone, one that is abandoned, and twenty side by side: about a minute …')
  const { paid, abandoned, together } = await playAll()

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
  showBill('A token, which serves all payments of a day', billOf(totalOf(paid.scenes.filter(isToken))))
  showBill(`Forgetting a job after ${RETENTION_DAYS} days`, billOf(totalOf(paid.scenes.filter(isForgetting))))
  const bytes = { object: paid.bytes, d1: D1_BYTES }
  console.log(
    `\nA million payments a day store ${((bytes.object + bytes.d1) / 1000).toFixed(2)} GB a day; keeping a million for ` +
      `${RETENTION_DAYS} days costs ${usd(keepingOf(bytes, RETENTION_DAYS))} USD.`,
  )
  console.log('\nPart by part, alone:')
  for (const { name, counts, notes } of paid.scenes) {
    console.log(`\n${name}: ${usd(sumOf(billOf(counts)))} USD a million`)
    console.log(notes.map((note) => `  ${note}`).join('\n'))
  }
  const isMet = Math.max(alone, inTraffic) <= TARGET
  console.log(
    `\nTarget: ${TARGET} USD a million whole payments. Alone ${usd(alone)}, in traffic ${usd(inTraffic)}: ${isMet ? 'met' : 'missed'}.`,
  )
  return isMet ? 0 : 1
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
