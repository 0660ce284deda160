import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/** A mutant of Stryker's; `line` is that of the file, from 1. */
export type DomainMutant = {
  readonly id: string
  readonly file: string
  readonly line: number
  /** The line that it begins in. */
  readonly at: string
  readonly from: string
  readonly to: string
}

type Position = { readonly line: number; readonly column: number }

const root = join(import.meta.dirname, '../../..')
function silent() {}
const log = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

/** The text between two places; lines and columns are from 0. */
function textBetween(source: string, start: Position, end: Position): string {
  const lines = source.split('\n').slice(start.line, end.line + 1)
  const last = lines.length - 1
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined))
    .join('\n')
}

/** All mutants of files, and each file with all of its mutants compiled in: Stryker's, which knows more of them than operators.ts. */
export async function instrument(
  files: readonly string[],
): Promise<{ mutants: DomainMutant[]; code: Map<string, string> }> {
  const sources = new Map<string, string>()
  for (const file of files) sources.set(file, await readFile(join(root, file), 'utf8'))
  const result = await new Instrumenter(log).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  )
  const mutants = result.mutants.map(
    ({ id, fileName, location: { start, end }, replacement }): DomainMutant => {
      const source = sources.get(fileName) ?? ''
      const at = source.split('\n')[start.line] ?? ''
      const from = textBetween(source, start, end)
      return { id, file: fileName, line: start.line + 1, at, from, to: replacement }
    },
  )
  return { mutants, code: new Map(result.files.map(({ name, content }) => [name, content])) }
}
