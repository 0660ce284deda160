import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import * as v from 'valibot'
import { PROJECT } from '../../src/tools/wrangler.ts'

/** What of Istanbul's report is read: where the arms of each branch are, and how often each was taken. */
const Place = v.object({ line: v.nullish(v.number()) })
const Branch = v.object({
  type: v.string(),
  loc: v.object({ start: Place }),
  locations: v.array(v.object({ start: Place })),
})
const Report = v.record(
  v.string(),
  v.object({
    path: v.string(),
    branchMap: v.record(v.string(), Branch),
    b: v.record(v.string(), v.array(v.number())),
  }),
)

/** The folders whose every branch a schedule is to reach. */
export const COVERED = ['src/domain/**/*.ts', 'src/payment-job/**/*.ts']

/** Branches by name, and whether any seed has reached them: of all reports that were read. */
export function openCoverage() {
  const reached = new Map<string, boolean>()
  return {
    async read(folder: string): Promise<void> {
      const text = await readFile(join(folder, 'coverage-final.json'), 'utf8')
      for (const { path, branchMap, b } of Object.values(v.parse(Report, JSON.parse(text)))) {
        const lines = (await readFile(path, 'utf8')).split('\n')
        for (const [id, branch] of Object.entries(branchMap)) {
          for (const [arm, { start }] of branch.locations.entries()) {
            const line = start.line ?? branch.loc.start.line ?? 0
            const words = (lines[line - 1] ?? '').trim()
            const name = `${relative(PROJECT, path)}: ${branch.type}, arm ${arm + 1}: ${words}`
            reached.set(name, reached.get(name) === true || (b[id]?.[arm] ?? 0) > 0)
          }
        }
      }
    },
    unreached: (): string[] =>
      [...reached].flatMap(([name, isReached]) => (isReached ? [] : [name])).toSorted(),
    all: () => reached.size,
  }
}
