import { expect, it } from 'vitest'
import type { Mutant } from './shell/mutants.ts'
import type { FileReach } from './shell/reach.ts'
import { type Open, split, turnsFor } from './shell/turns.ts'

const mutant: Mutant = {
  id: 'src/reports/deliver.ts#1',
  file: 'src/reports/deliver.ts',
  line: 1,
  at: '',
  from: '',
  to: '',
  replaced: { start: 0, end: 0, by: '' },
}

function through(ms: number, isAlone = false): FileReach {
  return {
    tests: [
      { name: 'passes through it', ms, reached: [mutant.id], loading: [] },
      { name: 'does not', ms, reached: [], loading: [] },
    ],
    isAlone,
  }
}

const past: FileReach = { tests: [{ name: 'does not', ms: 1, reached: [], loading: [] }], isAlone: false }

/** The files of each run of a mutant, of four files at most after the first. */
function runsOf(reach: Record<string, FileReach>, time: number): string[][] {
  const runs: string[][] = []
  let open: Pick<Open, 'turns' | 'later'> = turnsFor(mutant, new Map(Object.entries(reach)), time)
  for (; open.turns.length > 0; open = split(open.later, 4)) runs.push(open.turns.map(({ file }) => file))
  return runs
}

it('meets a mutant with its own test file first, then with near and quick ones', () => {
  const reach = {
    'test/pos-api/quick.test.ts': through(10),
    'test/reports/slow.test.ts': through(2000),
    'test/reports/quick.test.ts': through(10),
    'test/reports/deliver.test.ts': through(5000),
    'test/reports/other.test.ts': past,
  }
  expect(runsOf(reach, 60_000)).toEqual([
    ['test/reports/deliver.test.ts'],
    ['test/reports/quick.test.ts', 'test/reports/slow.test.ts', 'test/pos-api/quick.test.ts'],
  ])
})

it('plays a file that needs a runtime to itself in a run of its own, after the others', () => {
  const reach = {
    'test/reports/deliver.test.ts': through(10, true),
    'test/security/broken.test.ts': through(10, true),
    'test/pos-api/slow.test.ts': through(9000),
    'test/reports/near.test.ts': through(9000),
  }
  expect(runsOf(reach, 60_000)).toEqual([
    ['test/reports/near.test.ts'],
    ['test/pos-api/slow.test.ts'],
    ['test/reports/deliver.test.ts'],
    ['test/security/broken.test.ts'],
  ])
})

it('plays only the tests that pass through a mutant, and says where there is no time for all', () => {
  const reach = new Map([
    ['test/reports/a.test.ts', through(700)],
    ['test/reports/b.test.ts', through(800)],
  ])
  expect(turnsFor(mutant, reach, 1000)).toMatchObject({
    turns: [{ file: 'test/reports/a.test.ts', tests: ['passes through it'], ms: 700 }],
    later: [],
    cut: true,
  })
  expect(turnsFor(mutant, reach, 1500)).toMatchObject({ later: [{ ms: 800 }], cut: false })
})
