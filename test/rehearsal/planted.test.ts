import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { replay } from '../../src/job/core/replay.ts'
import { compareLines } from '../../src/rehearsal/compare.ts'
import { linesOf } from '../../src/rehearsal/journals.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { corpus } from './corpus.ts'

/** A changed rule in each file, and where the change must show. */
const PLANTED: [file: string, what: string, rule: string, changed: string, kind: string][] = [
  ['decide', 'a return is never noted', "unlessSame(state, [{ is: 'returned' }], now)", '[]', 'decisions'],
  [
    'evolve',
    'an expiry is no step',
    "withStep(expired(state, now), 'Expire')",
    'expired(state, now)',
    'answer',
  ],
  [
    'duties',
    'accounts that want a pause get none',
    'Math.max(asked + pause, heldUntil(state))',
    'asked + pause',
    'duties',
  ],
  [
    'schedule',
    'the first question comes later',
    "ASK_UNVISITED = times('10m')",
    "ASK_UNVISITED = times('11m')",
    'duties',
  ],
  [
    'show',
    'shops see an old time',
    'lastUpdate: formatMicros(updated)',
    'lastUpdate: formatMicros(created)',
    'answer',
  ],
  ['row', 'rows say that all is paid', 'paid: paidOf(state)', 'paid: order.amount', 'row'],
  ['why', 'who came back did not', "isBack ? 'customer-came-back'", "!isBack ? 'customer-came-back'", 'why'],
  [
    'decide',
    'money under way can be cancelled',
    "|| standing.is === 'open'",
    "|| standing.is !== 'paid'",
    'allows',
  ],
  [
    'evolve',
    'a captured part expires at its deadline',
    "capture === 'manual' && paidOf",
    "capture !== 'manual' && paidOf",
    'answer',
  ],
  [
    'reserved',
    'the hub releases a day early',
    'captureBefore > 0 ? captureBefore :',
    'captureBefore > 0 ? captureBefore - DAY :',
    'duties',
  ],
  ['row', 'rows have the deadline by the clock of the job', 'realAt(state.clock, ends)', 'ends', 'row'],
  [
    'money',
    'the rest is due although it was given up',
    'isRestGivenUp(state) ? 0 : dueAfter',
    'dueAfter',
    'answer',
  ],
  ['why', 'a deadline is near two days before', 'ends < now + DAY', 'ends < now + 2 * DAY', 'why'],
  ['money', 'what was charged back can be refunded', 'taken - chargedBack - gone', 'taken - gone', 'allows'],
  [
    'instruct',
    'a PSP that captures once gets two captures',
    'once.includes(where.account)',
    'once.includes(kind)',
    'allows',
  ],
  [
    'money',
    'the payment with the least left comes first',
    'other.rest - one.rest',
    'one.rest - other.rest',
    'allows',
  ],
  [
    'ledger',
    'a failed capture is not lost',
    'authorized > 0 ? paid - captured',
    'authorized > 0 ? 0',
    'answer',
  ],
  ['schedule', 'a terminal has a minute more', 'life: 3 * MINUTE', 'life: 4 * MINUTE', 'duties'],
  ['stopping', 'an extended payment is stopped', ' && (answer.expiresAt ?? 0) <= until', '', 'allows'],
  ['notices', 'PSPs repeat what was kept', '!isBare(notified) || known.asks', 'known.asks', 'allows'],
  [
    'instructions',
    'an unlisted instruction fails within a minute',
    'LOST_AFTER = 10 * MINUTE',
    'LOST_AFTER = MINUTE',
    'answer',
  ],
  ['bounds', 'a job knows one other of its order', 'MOST_OTHERS = 3', 'MOST_OTHERS = 1', 'decisions'],
  [
    'reserved',
    'the hub keeps the rest reserved',
    "(kind === 'capture' ? { final: true } : {})",
    '{}',
    'decisions',
  ],
  [
    'alarm',
    'a failed duty waits a day',
    'LONGEST_PAUSE = 10 * MINUTE',
    'LONGEST_PAUSE = 1440 * MINUTE',
    'alarm',
  ],
  ['turns', 'nobody shares an answer', 'now >= newest.at + APART', 'now >= newest.at', 'allows'],
  [
    'terminal',
    'a doubt looks like a customer who pays',
    "return 'unknown'",
    "return 'waiting-for-card'",
    'answer',
  ],
  ['looks', 'the hub looks for no signed payment', 'payment !== undefined', 'payment === null', 'allows'],
]

const JOURNALS = corpus()
/** Inside the project, so that the changed rules find its packages. */
const HERE = join(PROJECT, '.wrangler')
mkdirSync(HERE, { recursive: true })
const folder = mkdtempSync(join(HERE, 'planted-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The rules of this tree with one of them changed. */
async function withRule(file: string, rule: string, changed: string): Promise<typeof replay> {
  const tree = mkdtempSync(join(folder, 'tree-'))
  for (const room of ['contract', 'psp/answer.ts', 'job/core'])
    cpSync(join(PROJECT, 'src', room), join(tree, room), { recursive: true })
  const path = join(tree, 'job', 'core', `${file}.ts`)
  const source = readFileSync(path, 'utf8')
  expect(source.split(rule)).toHaveLength(2)
  writeFileSync(path, source.replace(rule, changed))
  return (await import(pathToFileURL(join(tree, 'job', 'core', 'replay.ts')).href)).replay
}

/** What the rules of this tree make of each journal that a test has needed. */
const known = new Map<string, string[]>()
function linesAsIs(journal: (typeof JOURNALS)[number]): string[] {
  const lines = known.get(journal.id) ?? [...linesOf(journal, replay)]
  known.set(journal.id, lines)
  return lines
}

async function* each(lines: readonly string[]) {
  yield* lines
}

it.each(PLANTED)(
  'a changed rule in %s.ts shows: %s',
  { timeout: 300_000 },
  async (file, _, rule, changed, kind) => {
    const play = await withRule(file, rule, changed)
    const kinds = new Set<string>()
    for (const journal of JOURNALS) {
      const [before, after] = [linesAsIs(journal), [...linesOf(journal, play)]]
      if (before.join() === after.join()) continue
      const { changes } = await compareLines(each(before), each(after), {})
      for (const change of changes) kinds.add(change.kind)
      if (kinds.has(kind)) break
    }
    expect([...kinds]).toContain(kind)
  },
)
