import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Manifest } from '../contract/backup.ts'
import { splitLines } from '../contract/json-lines.ts'
import { readManifest, wrongFiles } from '../backup/folder.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'
import { PROJECT } from '../programs/wrangler.ts'
import { type Change, type Compared, type Comparing, compareLines } from './compare.ts'
import { type Meant, isMeant, readMeant } from './meant.ts'
import { withRelease } from './work-tree.ts'

/** `meant`: why this release changes it. `unused`: lines of `rehearsal.json` that no job shows. */
export type Rehearsal = Omit<Compared, 'changes'> & {
  against: string
  changes: (Change & { meant: string | null })[]
  unused: Meant[]
}

/** `against`: a tag or commit. `job`: plays only this one. `progress` also gets the number of all jobs. */
type RehearsalOptions = Omit<Comparing, 'progress'> & {
  against?: string | undefined
  job?: string | undefined
  progress?: (played: number, of: number) => void
}

/** Plays the journals of a backup by the rules of this checkout and of another release, and compares. */
export function rehearse(folder: string, { against, ...wanted }: RehearsalOptions): Promise<Rehearsal> {
  return withRelease(against, async (tree, ref) => ({
    ...(await rehearseWith(tree, folder, wanted)),
    // The list is of changes since the newest release.
    ...(against === undefined ? {} : { unused: [] }),
    against: ref,
  }))
}

/** The same, with the code of the other release in a folder. */
export async function rehearseWith(
  tree: string,
  folder: string,
  { job, progress, ...comparing }: Omit<RehearsalOptions, 'against'>,
): Promise<Omit<Rehearsal, 'against'>> {
  const manifest = await readManifest(folder)
  if (!manifest) throw new UsageError(`${folder} has no manifest.json, so it is not a backup.`)
  const wrong = foreignFiles(folder, manifest)
  for await (const file of wrongFiles(folder, manifest)) wrong.push(file)
  const total = jobsIn(manifest)
  const words = [resolve(folder), ...(job === undefined ? [] : [job])]
  const [older, newer] = [play(tree, words), play(PROJECT, words)]
  try {
    const compared = await compareLines(older.lines[Symbol.asyncIterator](), newer.lines, {
      ...comparing,
      progress: (played) => progress?.(played, total),
    })
    await Promise.all([older.ended, newer.ended])
    if (job !== undefined && compared.jobs === 0)
      throw new UsageError(`The backup in ${folder} has no job ${quoted(job)}.`)
    const isWhole = job === undefined && comparing.kinds === undefined
    return { ...judge(compared, readMeant(), isWhole), wrong: [...wrong, ...compared.wrong] }
  } finally {
    older.stop()
    newer.stop()
  }
}

/** Marks the changes that are meant. Only a whole backup shows that a meant change is missing. */
export function judge(compared: Compared, meant: readonly Meant[], isWhole: boolean) {
  const reasonFor = (change: Change) => meant.find((line) => isMeant(line, change))?.note ?? null
  const isUnused = (line: Meant) => isWhole && !compared.changes.some((change) => isMeant(line, change))
  const changes = compared.changes.map((change) => ({ ...change, meant: reasonFor(change) }))
  return { ...compared, changes, unused: meant.filter(isUnused) }
}

function jobsIn({ files }: Manifest): number {
  return files.reduce((sum, { name, lines }) => sum + (name.startsWith('jobs-') ? lines : 0), 0)
}

function foreignFiles(folder: string, { files }: Manifest): string[] {
  const known = new Set(['manifest.json', ...files.map(({ name }) => name)])
  const found = readdirSync(folder).filter((name) => !known.has(name))
  return found.map((name) => `${join(folder, name)} is not a file of this backup.`)
}

/**
 * Plays a backup in its own process, which runs code of any age: it gets nothing of this process's environment, and
 * a folder of its own. `ended` rejects if the process fails.
 */
function play(tree: string, words: readonly string[]) {
  const player = join(import.meta.dirname, 'player.ts')
  const cwd = mkdtempSync(join(tmpdir(), 'payment-hub-player-'))
  const child = spawn(process.execPath, [player, tree, ...words], {
    cwd,
    env: { HOME: cwd, TMPDIR: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-4000)))
  const ended = new Promise<void>((done, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      rmSync(cwd, { recursive: true, force: true })
      if (code === 0) done()
      else reject(new Error(`The code in ${tree} cannot play the backup: ${errors.trim()}`))
    })
  })
  // The reader of the lines awaits this after the last one.
  ended.catch(() => undefined)
  return {
    // Read from now on: Node drops what a process wrote if it ends before someone reads.
    lines: splitLines(child.stdout.pipe(new PassThrough({ encoding: 'utf8' }))),
    ended,
    stop: () => void child.kill(),
  }
}
