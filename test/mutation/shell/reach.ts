import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inLanes } from './lanes.ts'
import { type Played, runPlays } from './run-plays.ts'

/** What a test of a file passes through, and how long it takes (ms). With the first of a runtime: what modules passed as they were loaded. */
export type Reach = {
  readonly name: string
  readonly ms: number
  readonly reached: readonly string[]
  readonly loading: readonly string[]
}
type Versions = Readonly<Record<string, string>>
/** The tests of a file. Alone: in a runtime with other files they fail. */
export type FileReach = { readonly tests: readonly Reach[]; readonly isAlone: boolean }
/** What is known of a test file, as it was and as the mutated files were. */
type Noted = FileReach & { readonly version: string; readonly sources: Versions }

const root = join(import.meta.dirname, '../../..')
function versionOf(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)
}

/** What stands around a test, its `beforeAll`, counts for all tests of its file: without it none of them runs. */
function reachOf({ tests }: Played): Reach[] {
  const outside = new Set(tests.flatMap(({ told }) => told.outside))
  return tests.map(({ told, ms }) => ({
    name: told.name,
    ms,
    reached: [...new Set([...told.reached, ...outside])],
    loading: told.loading,
  }))
}

async function versionsOf(files: readonly string[]): Promise<Versions> {
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file, versionOf(await readFile(join(root, file), 'utf8'))] as const),
    ),
  )
}

/** What a test did not pass through before a file changed, it is taken not to pass through afterwards. */
function isStillRight(noted: Noted, test: string | undefined, sources: Versions): boolean {
  const changed = Object.keys(sources).filter((file) => sources[file] !== noted.sources[file])
  const passes = (file: string): boolean =>
    noted.tests.some(({ reached }) => reached.some((id) => id.startsWith(`${file}#`)))
  return noted.version === test && !changed.some(passes)
}

/** Test files that share a runtime. */
const TOGETHER = 25

function partsOf(files: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(files.length / TOGETHER) }, (_, part) =>
    files.slice(part * TOGETHER, (part + 1) * TOGETHER),
  )
}

/**
 * Which tests pass through which mutants, found by running each test file once. It is kept in `.wrangler/mutation/`, and found anew
 * for a test file when that file changed, or a mutated file that it passes through. A file whose tests fail without any mutant has
 * a runtime to itself, and is left out, loudly, where they fail there too.
 */
export async function findReach(
  mutated: readonly string[],
  testFiles: readonly string[],
  patience: number,
): Promise<Map<string, FileReach>> {
  const store = join(root, '.wrangler/mutation', `reach-of-tests-${versionOf(...mutated)}.json`)
  const noted = JSON.parse(await readFile(store, 'utf8').catch(() => '{}')) as Record<string, Noted>
  const [sources, versions] = await Promise.all([versionsOf(mutated), versionsOf(testFiles)])
  const found = new Map<string, FileReach>()
  const unknown: string[] = []
  for (const file of testFiles) {
    const known = noted[file]
    if (known !== undefined && isStillRight(known, versions[file], sources)) found.set(file, known)
    else unknown.push(file)
  }
  await mkdir(dirname(store), { recursive: true })
  /** Plays files in one runtime. Those that failed. */
  const look = async (files: readonly string[], isAlone: boolean): Promise<string[]> => {
    const plays = files.map((file) => ({ file, mutant: '', tests: null }))
    const results = await runPlays({ mutated, plays, patience })
    return files.filter((file, index) => {
      const played = results[index]
      if (played?.outcome !== 'passed') return true
      const about = { tests: reachOf(played), isAlone }
      found.set(file, about)
      noted[file] = { version: versions[file] ?? '', sources, ...about }
      return false
    })
  }
  let looked = 0
  const alone: string[] = []
  await inLanes(partsOf(unknown), async (part) => {
    alone.push(...(await look(part, false)))
    looked += part.length
    process.stdout.write(`looked at ${looked} of ${unknown.length} test files\n`)
  })
  await inLanes(alone, async (file) => {
    const isLeftOut = (await look([file], true)).length > 0
    process.stdout.write(
      isLeftOut ? `left out: ${file} fails without a mutant\n` : `alone in a runtime: ${file}\n`,
    )
  })
  await writeFile(store, JSON.stringify(noted))
  return found
}
