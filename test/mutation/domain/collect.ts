import type { Collected } from './collected.ts'

type Body = (...given: unknown[]) => unknown
type Rows = readonly unknown[]

// Given by play.ts to each copy of the bundle: what stands in place of Vitest, so that a test can be run again and again.
declare const collected: Collected

/** As Vitest has it: a row is all arguments only where every row is a list. */
function eachOf(take: (name: string, body: () => unknown) => void) {
  return (rows: Rows) =>
    (name: string, body: Body): void => {
      const areLists = rows.every((row) => Array.isArray(row))
      for (const [number, row] of rows.entries())
        take(`${name} #${number}`, () => body(...(areLists ? (row as unknown[]) : [row])))
    }
}

function takeTest(name: string, run: () => unknown): void {
  void collected.tests.push({ file: collected.file, name, run })
}
function takeSuite(_: string, tell: () => unknown): void {
  void tell()
}

export const it = Object.assign(takeTest, { each: eachOf(takeTest) })
export const describe = Object.assign(takeSuite, { each: eachOf(takeSuite) })
export const expect = collected.expect
