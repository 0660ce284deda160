import { describe, expect, it } from 'vitest'
import { nameOfLook, terminalLook } from '../../../src/job/core/where-to-look.ts'
import { isTaken } from '../../../src/job/core/notices.ts'
import { type Job, NOW, SILENT, TOOK, WHERE, playedJob } from '../../support/jobs/played-job.ts'
import { atTerminal, ended, placedAtTerminal } from '../../support/jobs/why-jobs.ts'

const BARE = { is: 'notified', came: NOW, account: WHERE.account, reference: null } as const
const SIGNED = { ...BARE, payment: 'card' }

function refusedAtTerminal(): Job {
  const job = placedAtTerminal()
  job.tries([WHERE.account, { is: 'refused', message: 'terminal_busy: in use' }])
  return job
}

describe('a notification of a payment that the job does not have', () => {
  it.each([
    ['a page', playedJob(['mollie', SILENT], ['other', TOOK]), 'look mollie'],
    ['a terminal without a payment', placedAtTerminal(), 'announce'],
    ['a terminal with a payment', atTerminal(), 'look mollie'],
  ])('brings forward the duty that finds it, for an order for %s', (_, job, name) => {
    expect(nameOfLook(job.state, BARE)).toBe(name)
  })

  it.each([
    ['that the PSP signed', placedAtTerminal(), SIGNED, { isHeld: true }],
    ['that the PSP signed after another', atTerminal(), SIGNED, { isHeld: true }],
    ['after the PSP had said that it never began', refusedAtTerminal(), BARE, {}],
    ['while the hub still asks by itself', placedAtTerminal(), BARE, null],
    ['of an order that ended with its payment at the terminal', ended('FAILURE', atTerminal()), BARE, null],
    ['of another account', placedAtTerminal(), { ...SIGNED, account: 'other' }, null],
    ['on a page', playedJob(), SIGNED, null],
  ])('calls for a look at the terminal, or not: %s', (_, job, notified, look) => {
    const expected = look && { do: 'look', account: WHERE.account, at: NOW, ...look }
    expect(terminalLook(job.state, notified, NOW) ?? null).toEqual(expected)
  })

  it.each([
    ['a bare, signed one at a terminal', placedAtTerminal(), BARE, true, true],
    ['one that is not signed', placedAtTerminal(), BARE, false, false],
    ['one with news', placedAtTerminal(), SIGNED, true, false],
    ['one on a page', playedJob(), BARE, true, false],
  ])('need not come again, or must: %s', (_, job, notified, isSigned, isCare) => {
    expect(isTaken(job.state, notified, isSigned)).toBe(isCare)
  })

  it('must come again if nothing says that the PSP signed it', () => {
    expect(isTaken(placedAtTerminal().state, BARE, false)).toBe(false)
  })
})
