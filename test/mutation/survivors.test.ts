import { describe, expect, it } from 'vitest'
import { readChangedLines } from './changed-lines.ts'
import { scoreTable } from './score.ts'
import { type Found, compare, readKnown } from './survivors.ts'

function mutant(changes: Partial<Found>): Found {
  return {
    file: 'src/domain/x.ts',
    line: 7,
    at: '  return a < b',
    from: 'a < b',
    to: 'a <= b',
    isKilled: false,
    by: '',
    ...changes,
  }
}
const KNOWN = {
  file: 'src/domain/x.ts',
  at: 'return a < b',
  from: 'a < b',
  to: 'a <= b',
  why: 'they are never the same',
}

it('a mutant that lives and is in the list is not told, wherever its line is now', () => {
  expect(compare([mutant({ line: 99 })], [KNOWN])).toEqual({
    listed: [mutant({ line: 99 })],
    new: [],
    stale: [],
  })
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

describe('the score', () => {
  const killed = (count: number, changes: Partial<Found> = {}): Found[] =>
    Array.from({ length: count }, () => mutant({ isKilled: true, ...changes }))

  it('is told for each file and for all, and leaves out what is in the list', () => {
    const listed = mutant({})
    const found = [
      ...killed(97),
      mutant({}),
      mutant({}),
      mutant({}),
      listed,
      ...killed(1, { file: 'src/domain/a.ts' }),
    ]
    expect(scoreTable(found, [listed])).toEqual({
      lines: [
        ' mutants  killed  listed   alive     score',
        '       1       1       0       0   100.0 %  src/domain/a.ts',
        '     101      97       1       3    97.0 %  src/domain/x.ts',
        '     102      98       1       3    97.0 %  all of the domain; wanted: 97 %',
      ],
      isReached: true,
    })
  })

  it.each([
    ['the pure rules', 'src/domain/x.ts', 97],
    ['what stands around them', 'src/reports/x.ts', 90],
  ])('of %s is too low below its target', (_, file, target) => {
    const alive = (count: number): Found[] => Array.from({ length: count }, () => mutant({ file }))
    expect(scoreTable([...killed(target, { file }), ...alive(100 - target)], []).isReached).toBe(true)
    expect(scoreTable([...killed(target - 1, { file }), ...alive(101 - target)], []).isReached).toBe(false)
  })

  it('is judged by each part alone: one does not make up for the other', () => {
    const shell = killed(1000, { file: 'src/reports/x.ts' })
    expect(scoreTable([...shell, mutant({})], []).isReached).toBe(false)
  })

  it('is whole where all that lives is in the list', () => {
    const listed = mutant({})
    expect(scoreTable([listed], [listed])).toMatchObject({ isReached: true })
  })
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
