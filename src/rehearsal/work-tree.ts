import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UsageError, quoted } from '../programs/usage-error.ts'
import { PROJECT } from '../programs/wrangler.ts'

/** Inside the project, so that the code of another release finds the packages of this one. */
const TREES = join(PROJECT, '.wrangler', 'rehearse')

/** Release 1.0.0, which has no tag in a clone that lacks tags. */
export const FIRST_RELEASE = '3c023e3572011b65ce14108478d7cb7a0405ea1c'

/** Release 1.1.0, the newest one: a clone may lack its tag. */
const NEWEST_RELEASE = '517871ee2963c813bf73f7d4649747cfcbd8bdbe'

/** A commit whose `replay.ts` also runs with the core of releases that have none. */
const REPLAY_FOR_FIRST = '4168ce9f'

const REPLAY = 'src/job/core/replay.ts'

async function git(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', words, { cwd: PROJECT })
  return stdout.trim()
}

/** Returns the newest tag of a release, else the commit of 1.1.0. */
async function newestRelease(): Promise<string> {
  const tags = await git('tag', '--list', '--sort=-version:refname')
  return tags.split('\n').find((tag) => /^v?\d+\.\d+\.\d+$/.test(tag)) ?? NEWEST_RELEASE
}

/** Runs with the code of another release (a tag or a commit) in a folder that is gone afterwards. */
export async function withRelease<Made>(
  given: string | undefined,
  use: (tree: string, ref: string) => Promise<Made>,
): Promise<Made> {
  const ref = given ?? (await newestRelease().catch(() => NEWEST_RELEASE))
  await removeLeftTrees()
  const tree = join(TREES, String(process.pid))
  try {
    const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)
    await git('worktree', 'add', '--detach', '--force', tree, commit)
  } catch {
    throw new UsageError(`--against ${quoted(ref)} is no tag or commit of this checkout: fetch it with git.`)
  }
  try {
    if (!existsSync(join(tree, 'src', 'job', 'core')))
      throw new UsageError(`--against ${quoted(ref)} is older than 1.0.0, and has no journals to play.`)
    if (!existsSync(join(tree, REPLAY)))
      await writeFile(join(tree, REPLAY), await git('show', `${REPLAY_FOR_FIRST}:${REPLAY}`))
    return await use(tree, /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 8) : ref)
  } finally {
    await removeTree(tree)
  }
}

/** Removes the folders of processes that were killed. */
async function removeLeftTrees(): Promise<void> {
  if (!existsSync(TREES)) return
  for (const name of readdirSync(TREES)) if (!isRunning(Number(name))) await removeTree(join(TREES, name))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function removeTree(tree: string): Promise<void> {
  await rm(tree, { recursive: true, force: true })
  await git('worktree', 'prune').catch(() => '')
}
