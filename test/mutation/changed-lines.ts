import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Lines of a file, from 1, both ends included. */
export type Lines = { readonly first: number; readonly last: number }

/** The lines of `src/` that differ from a commit, those not yet committed as well: what `git diff --unified=0` prints. */
export function readChangedLines(diff: string): Map<string, Lines[]> {
  const changed = new Map<string, Lines[]>()
  let file: string | undefined
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) file = /^\+\+\+ b\/(src\/.+\.tsx?)$/.exec(line)?.[1]
    const [, first = '', count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (file === undefined || first === '' || count === '0') continue
    const lines = { first: Number(first), last: Number(first) + Number(count) - 1 }
    changed.set(file, [...(changed.get(file) ?? []), lines])
  }
  return changed
}

export async function changedLines(base: string): Promise<Map<string, Lines[]>> {
  const git = promisify(execFile)
  // Where the branch left its base: what others did there since is not this change.
  const { stdout: from } = await git('git', ['merge-base', base, 'HEAD'])
  const { stdout } = await git('git', ['diff', '--unified=0', from.trim(), '--', 'src'], { maxBuffer: 1e8 })
  return readChangedLines(stdout)
}
