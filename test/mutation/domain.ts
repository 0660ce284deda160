import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lines } from './changed-lines.ts'
import type { Found } from './survivors.ts'

type Position = { readonly line: number; readonly column: number }
type Report = {
  readonly files: Record<
    string,
    {
      readonly source: string
      readonly mutants: readonly {
        readonly status: string
        readonly replacement?: string
        readonly mutatorName: string
        readonly location: { readonly start: Position; readonly end: Position }
      }[]
    }
  >
}

const root = join(import.meta.dirname, '../..')
/** Mutants that no runtime could play, or that Stryker was told to leave out. */
const NOT_PLAYED = new Set(['Ignored', 'CompileError', 'RuntimeError'])

const textAt = (source: string, { start, end }: { start: Position; end: Position }): string => {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n')
}

/** Runs Stryker over files of src/domain, or over lines of them, and gives what became of each mutant. */
export const mutateDomain = async (files: ReadonlyMap<string, readonly Lines[]>): Promise<Found[]> => {
  const patterns = [...files].flatMap(([file, lines]) =>
    lines.length === 0 ? [file] : lines.map(({ first, last }) => `${file}:${first}-${last}`),
  )
  const chosen = patterns.length === 0 ? [] : ['--mutate', patterns.join(',')]
  const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const child = spawn(process.execPath, [stryker, 'run', 'test/mutation/stryker.config.json', ...chosen], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`Stryker ended with ${String(code)}: run it by hand to see why`)
  const report = JSON.parse(await readFile(join(root, '.wrangler/mutation/domain.json'), 'utf8')) as Report
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => !NOT_PLAYED.has(status))
      .map(({ status, replacement = '', location }) => ({
        file,
        line: location.start.line,
        at: source.split('\n')[location.start.line - 1] ?? '',
        from: textAt(source, location),
        to: replacement,
        isKilled: status === 'Killed' || status === 'Timeout',
        by: status,
      })),
  )
}
