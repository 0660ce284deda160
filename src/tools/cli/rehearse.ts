import { KINDS } from '../../job/core/replay.ts'
import type { Change } from '../rehearse/compare.ts'
import { type Rehearsal, rehearse } from '../rehearse/rehearse.ts'
import { flag, option, word } from '../program.ts'
import { UsageError, notAmong } from '../usage-error.ts'
import { count, hubCommand } from './hub-command.ts'
import type { Lines } from './view.ts'

function readKinds(text: string, name: string): string[] {
  const kinds = text.split(',')
  const unknown = kinds.find((kind) => !KINDS.some((known) => known === kind))
  if (unknown !== undefined) throw new UsageError(`${name}: ${notAmong(KINDS, unknown)}`)
  return kinds
}

/** Returns whether nothing of a rehearsal holds up a deploy. */
export function isKept({ changes, isCut, wrong }: Rehearsal): boolean {
  return !isCut && wrong.length === 0 && changes.every(({ meant }) => meant !== null)
}

/** Says what a rehearsal found: what is not meant comes first. */
export function showRehearsal({ against, jobs, entries, changes, isCut, wrong, unused }: Rehearsal): Lines {
  const meant = changes.filter((one) => one.meant !== null)
  const others = changes.filter((one) => one.meant === null)
  return [
    ...wrong,
    ...others.flatMap(showChange),
    isCut && 'There are more kinds of changes than can be kept.',
    ...meant.map(
      (one) => `meant: ${one.kind}: ${count(one.jobs, 'job', 'jobs')}: ${one.change}: ${one.meant}`,
    ),
    ...unused.map(
      ({ kind, change }) => `rehearsal.json: no job shows ${kind}: ${change}. Take the line out.`,
    ),
    `Played ${count(jobs, 'job', 'jobs')}, ${count(entries, 'entry', 'entries')}, against ${against}: ` +
      (others.length === 0
        ? 'no change that is not meant.'
        : `${count(others.length, 'change', 'changes')} that nobody meant.`),
  ]
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
    job: option('ID', 'play this job alone'),
    kinds: {
      ...option('LIST', `compare these alone: ${KINDS.join(',')}`),
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
