import { KINDS } from '../job/core/replay.ts'
import type { Change } from './compare.ts'
import { type Rehearsal, rehearse } from './rehearse.ts'
import { flag, option, word } from '../programs/program.ts'
import { UsageError, notAmong } from '../programs/usage-error.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import type { Lines } from '../programs/view.ts'

function readKinds(text: string, name: string): string[] {
  const kinds = text.split(',')
  const unknown = kinds.find((kind) => !KINDS.some((known) => known === kind))
  if (unknown !== undefined) throw new UsageError(`${name}: ${notAmong(KINDS, unknown)}`)
  return kinds
}

/** Returns whether a deploy may go on after a rehearsal. */
export function isKept({ changes, isCut, wrong }: Rehearsal): boolean {
  return !isCut && wrong.length === 0 && changes.every(({ meant }) => meant !== null)
}

/** Shows the result of a rehearsal. Changes that are not meant come first. */
export function showRehearsal(found: Rehearsal): Lines {
  const { against, jobs, entries, changes, isCut, later, uncompared, wrong, unused } = found
  const others = changes.filter(({ meant }) => meant === null)
  const notes = Map.groupBy(changes, ({ meant }) => meant)
  notes.delete(null)
  const missed = new Set(unused.map(({ note }) => note)).difference(new Set(notes.keys()))
  return [
    ...wrong,
    ...others.map(showChange),
    isCut && 'There are more kinds of changes than a rehearsal keeps.',
    ...Array.from(notes, ([note, all]) => `meant: ${note} (${jobsOf(all)}: ${kindsOf(all)})`),
    ...Array.from(missed, (note) => `No job shows this change of rehearsal.json: ${note}`),
    later > 0 && `${count(later, 'job', 'jobs')} of a later release, which ${against} cannot read.`,
    uncompared.length > 0 && `Not compared, for ${against} has no such view: ${uncompared.join(', ')}.`,
    `Played ${count(jobs, 'job', 'jobs')} with ${count(entries, 'entry', 'entries')} against ${against}: ` +
      (others.length === 0 ? 'no change' : count(others.length, 'change', 'changes')) +
      ' that nobody meant.',
  ]
}

function jobsOf(changes: readonly Change[]): string {
  return count(Math.max(...changes.map(({ jobs }) => jobs)), 'job', 'jobs')
}

function kindsOf(changes: readonly Change[]): string {
  return [...new Set(changes.map(({ kind }) => kind))].join(', ')
}

function showChange({ kind, change, jobs, first: { job, entry, before, after } }: Change): Lines {
  return [
    `${kind}: ${count(jobs, 'job', 'jobs')}: ${change}`,
    `  first in job ${job}, entry ${entry}`,
    `  before ${short(before)}`,
    `  after  ${short(after)}`,
  ]
}

function short(value: unknown): string {
  const text = value === undefined ? 'none' : JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

export const rehearseBackup = hubCommand({
  does: 'play a backup by the rules of this checkout and of a release, and show what would change',
  example: 'backup',
  args: {
    folder: word('the folder of a backup'),
    against: option('REF', 'the tag or commit to compare with; the newest release if not given'),
    job: option('ID', 'play only this job'),
    kinds: {
      ...option('LIST', `compare only these: ${KINDS.join(',')}`),
      read: readKinds,
    },
    'show-orders': flag('show what shops and customers wrote, such as order numbers'),
  },
  run: ({ folder, against, job, kinds, 'show-orders': showOrders }) =>
    rehearse(folder, { against, job, kinds, showOrders, progress: progressBar() }),
  succeeds: isKept,
  show: showRehearsal,
})

/** Shows on standard error how far a rehearsal is, and how fast, twice a second. */
export function progressBar(): (played: number, of: number) => void {
  const began = Date.now()
  let shown = began
  return (played, of) => {
    const now = Date.now()
    if (!process.stderr.isTTY || now < shown + 500) return
    shown = now
    const part = Math.min(played / Math.max(of, 1), 1)
    const bar = '█'.repeat(Math.round(part * 30)).padEnd(30, '░')
    process.stderr.write(
      `\r${bar} ${played} of ${of} jobs, ${Math.round((played * 1000) / (now - began))} a second `,
    )
    if (played >= of) process.stderr.write('\n')
  }
}
