import { expect, it } from 'vitest'
import { readChangedLines } from './changed-lines.ts'
import { type Found, compare, readKnown } from './survivors.ts'

const mutant = (changes: Partial<Found>): Found => ({
  file: 'src/domain/x.ts',
  line: 7,
  at: '  return a < b',
  from: 'a < b',
  to: 'a <= b',
  isKilled: false,
  by: '',
  ...changes,
})
const KNOWN = {
  file: 'src/domain/x.ts',
  at: 'return a < b',
  from: 'a < b',
  to: 'a <= b',
  why: 'they are never the same',
}

it('a mutant that lives and is in the list is not told, wherever its line is now', () => {
  expect(compare([mutant({ line: 99 })], [KNOWN])).toEqual({ played: 1, killed: 0, new: [], stale: [] })
})

it.each([{ file: 'src/domain/y.ts' }, { at: 'return !(a < b)' }, { from: 'a > b' }, { to: 'true' }])(
  'a mutant that lives and differs from the list by %j is told',
  (changes) => {
    expect(compare([mutant(changes)], [KNOWN]).new).toEqual([mutant(changes)])
  },
)

it('a line of the list whose mutant is killed is told, and one whose file was not played is not', () => {
  expect(compare([mutant({ isKilled: true })], [KNOWN]).stale).toEqual([KNOWN])
  expect(compare([], [KNOWN]).stale).toEqual([])
})

it('each line of the list has a reason', async () => {
  for (const { why } of await readKnown()) expect(why.length).toBeGreaterThan(10)
})

it('the lines of a change are those that are new or different, in files of src alone', () => {
  const diff = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -3,2 +3 @@ export const a = () => {
@@ -20,0 +19,3 @@
@@ -30,2 +31,0 @@
--- a/docs/b.md
+++ b/docs/b.md
@@ -1 +1 @@
--- a/src/gone.ts
+++ /dev/null
@@ -1,4 +0,0 @@
`
  expect(readChangedLines(diff)).toEqual(
    new Map([
      [
        'src/a.ts',
        [
          { first: 3, last: 3 },
          { first: 19, last: 21 },
        ],
      ],
    ]),
  )
})
