import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { promisify } from 'node:util'
import type { Mutant } from './mutants.ts'

const run = promisify(execFile)

/** Names the copy of a file that has a mutant in it, which lies beside the file; and what of the compiler's messages has that name. */
function copyOf(file: string, number: number): string {
  const { dir, name, ext } = parse(file)
  return join(dir, `${name}.mutant-${number}${ext}`)
}
const COPIES = /\.mutant-(\d+)\.tsx?\(/g

function mutated(source: string, { replaced: { start, end, by } }: Mutant): string {
  return `${source.slice(0, start)}(${by || 'void 0'})${source.slice(end)}`
}

/** What the project's compiler says of the files of a folder. */
async function messagesOf(root: string, folder: string): Promise<string> {
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const options = { cwd: folder, maxBuffer: Infinity }
  try {
    return (await run(tsc, ['--project', 'mutants.json', '--pretty', 'false'], options)).stdout
  } catch (error) {
    // It ends with a number when it has refused something, and with anything else when it could not be run.
    const { code, stdout } = error as { code?: unknown; stdout?: string }
    if (typeof code !== 'number' || stdout === undefined) throw error
    return stdout
  }
}

/**
 * Those of some mutants that compile. The others cannot come to be: `npm run check` refuses them, so no test has to. `sources` are
 * the texts of their files. All are compiled at once, in a copy of the Worker's folder.
 */
export async function compiling(
  root: string,
  mutants: readonly Mutant[],
  sources: ReadonlyMap<string, string>,
): Promise<Mutant[]> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-mutants-'))
  try {
    await cp(join(root, 'src'), join(folder, 'src'), { recursive: true })
    await cp(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const include = ['src/**/*.d.ts', 'src/**/*.mutant-*']
    await writeFile(
      join(folder, 'mutants.json'),
      JSON.stringify({ extends: './tsconfig.json', include, exclude: [] }),
    )
    for (const [number, mutant] of mutants.entries())
      await writeFile(
        join(folder, copyOf(mutant.file, number)),
        mutated(sources.get(mutant.file) ?? '', mutant),
      )
    const messages = await messagesOf(root, folder)
    const refused = new Set([...messages.matchAll(COPIES)].map(([, number]) => Number(number)))
    return mutants.filter((_, number) => !refused.has(number))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
