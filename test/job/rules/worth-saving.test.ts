import { expect, it } from 'vitest'
import { isWorthSaving } from '../../../src/job/rules/job.ts'
import { NOW, sampleJob } from '../../support/sample-job.ts'

const job = { ...sampleJob(), pullAt: NOW }

it.each([
  ['nothing', {}, false],
  ['when its alarm runs', { alarmAt: NOW + 1 }, false],
  ['a pull that is put off', { pullAt: NOW + 1 }, false],
  ['a pull that is brought forward', { pullAt: NOW - 1 }, true],
  ['a pull that is not needed any more', { pullAt: null }, true],
  ['its status', { status: 'SUCCESS' as const }, true],
  ['its account', { account: 'other' }, true],
])('a change of %s is worth a write: %#', (_, changes, worth) => {
  expect(isWorthSaving(job, { ...job, ...changes })).toBe(worth)
})

it('a pull that is asked for where there was none is worth a write', () => {
  expect(isWorthSaving({ ...job, pullAt: null }, job)).toBe(true)
})
