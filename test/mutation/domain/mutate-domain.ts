import type { Lines } from '../changed-lines.ts'
import { type Found, tellAs } from '../survivors.ts'
import { bundleTests } from './bundle.ts'
import { instrument } from './instrument.ts'
import { judgeDomain } from './judge.ts'

/** Makes the mutants of files of src/domain, or of lines of them, plays them against test/domain, and gives what became of each. */
export async function mutateDomain(files: ReadonlyMap<string, readonly Lines[]>): Promise<Found[]> {
  const { mutants, code } = await instrument([...files.keys()])
  const chosen = mutants.filter(({ file, line }) => {
    const lines = files.get(file) ?? []
    return lines.length === 0 || lines.some(({ first, last }) => line >= first && line <= last)
  })
  const found: Found[] = []
  // Stryker gives no id twice, and leaves some out.
  const ids = Math.max(-1, ...mutants.map(({ id }) => Number(id))) + 1
  await judgeDomain(chosen, await bundleTests(code, ids), (mutant, { outcome, by }) => {
    const isKilled = outcome === 'killed'
    const { file, line, at, from, to } = mutant
    const one = { file, line, at, from, to, isKilled, by: isKilled ? by : outcome }
    found.push(one)
    process.stdout.write(`${isKilled ? 'killed' : 'LIVES '} ${tellAs(one)}\n`)
  })
  return found
}
