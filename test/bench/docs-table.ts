import type { Comparison } from './targets.ts'
import { CONCURRENCIES } from './tasks/task.ts'

/** What docs/limits-and-cost.md says of each comparison. */
const ROWS: readonly { what: string; against: string; says: string }[] = [
  {
    what: 'read, one job',
    against: 'bare',
    says: 'read a job, against a Worker that reads KV once and an object once',
  },
  {
    what: 'create',
    against: 'bare, create + announcement',
    says: "create a job, against a Worker that writes the job and the sandbox's payment",
  },
  {
    what: 'create',
    against: 'bare, create + all operations',
    says: 'create a job, against a Worker that also sets two alarms, counts against a limit, sends a message and writes its row',
  },
]
const FIGURES = ['rps', 'p99', 'cpuPerThousand'] as const

/** The figures of a run as the documents show them: the hub's divided by the yardstick's, at 1, 16 and 64 at once. */
function speedTable(comparisons: readonly Comparison[]): string {
  const figureOf = (what: string, against: string, figure: (typeof FIGURES)[number]) =>
    CONCURRENCIES.map((concurrency) => {
      const found = comparisons.find(
        (each) =>
          each.what === what &&
          each.against === against &&
          each.concurrency === concurrency &&
          each.ratio.figure === figure,
      )
      return found ? found.ratio.value.toFixed(2) : '-'
    }).join(' / ')
  const rows = ROWS.map(({ what, against, says }) => [
    says,
    ...FIGURES.map((figure) => figureOf(what, against, figure)),
  ])
  return markdownTable(['what', 'requests a second', 'p99', 'CPU time'], rows)
}

/** A table with its columns aligned, as the formatter leaves it. */
function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)),
  )
  const rule = widths.map((width) => '-'.repeat(width))
  return [head, rule, ...rows]
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n')
}

const SECTION = /(?<=\n## Speed\n\n)[^|]*\n\n(?:\|.*\n)+/

/** The document with the table of a run of `date` (`2026-11-22`) on so many cores. Throws where it has no place for it. */
export function withSpeedTable(
  document: string,
  comparisons: readonly Comparison[],
  { date, cores }: { date: string; cores: number },
): string {
  if (!SECTION.test(document)) throw new Error('the document has no table below "## Speed"')
  return document.replace(
    SECTION,
    () => `\
Written by \`npm run bench -- --write\` on ${date}, on ${cores} cores, with the state in memory: the hub's figure divided by that of a
Worker that does what is said and nothing else, at 1 / 16 / 64 requests at once.

${speedTable(comparisons)}
`,
  )
}
