import { expect, it } from 'vitest'
import type { Job } from '../../src/job/rules/job.ts'
import { announceTurns } from '../../src/job/announce-turns.ts'
import { outsideCalls } from '../../src/job/outside-calls.ts'
import { isWaiting } from '../support/job.ts'
import { NOW, sampleJob } from '../support/sample-job.ts'

const DUE: Job = { ...sampleJob(), announcement: { is: 'due', tries: 1, at: NOW } }

it('an announcement is not ended by one that has no turn: who waits for it goes on waiting', async () => {
  const turns = announceTurns(() => DUE, outsideCalls())
  expect(await turns.begin({ id: 'a', cause: 'visit' })).toMatchObject({ is: 'announce' })
  const other = turns.begin({ id: 'b', cause: 'visit' })
  turns.end('lost')
  expect(await isWaiting(other)).toBe(true)
  turns.end('a')
  expect(await other).toMatchObject({ is: 'done' })
})
