import { copyMessage } from '../../src/registry/publish-after.ts'
import { sweepMessage } from '../../src/job-index/sweep-message.ts'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { rowOf } from '../../src/job/core/row.ts'
import { indexMessage, reportMessage } from '../../src/job/messages.ts'
import { Profile } from '../../src/registry/profile.ts'
import { NOW, sampleJob } from '../support/jobs/played-job.ts'

const KEY = { id: 'j', created: NOW * 1000, pos: 'p' }
const SWEEP = { status: null, from: 1, to: 2, changedBefore: null }
const ROW = rowOf(sampleJob())

describe('a message of a queue', () => {
  it.each([
    ['of a report', reportMessage.read, { job: 'j', revision: 2 }],
    ['of a row', indexMessage.read, { row: ROW, listed: true }],
    ['of a purge', indexMessage.read, { forgotten: { ...KEY, sequence: 3 } }],
    ['of a purge, from a release that knew no sequence', indexMessage.read, { forgotten: KEY }],
    ['of a point of sale', copyMessage.read, { pos: 'p' }],
    ['of an account', copyMessage.read, { pos: 'p', account: 'a' }],
    ['of the first page of a sweep', sweepMessage.read, { sweep: SWEEP, after: null }],
    ['of another page', sweepMessage.read, { sweep: SWEEP, after: KEY }],
  ])('%s is read as it was sent', (_, read, message) => {
    expect(read({ ...message, version: 1 })).toEqual({ ok: true, value: message })
  })

  it.each<[string, (stored: unknown) => { ok: boolean }, object]>([
    ['a report without its job', reportMessage.read, { revision: 2 }],
    ['a report without its revision', reportMessage.read, { job: 'j' }],
    ['a row without its job', indexMessage.read, { row: { ...ROW, id: undefined }, listed: true }],
    ['a row that does not say whether it is listed', indexMessage.read, { row: ROW }],
    ['a purge of nothing', indexMessage.read, { forgotten: {} }],
    ['neither a row nor a purge', indexMessage.read, {}],
    ['no point of sale', copyMessage.read, { account: 'a' }],
    ['no sweep', sweepMessage.read, { after: null }],
    ['a sweep of nothing', sweepMessage.read, { sweep: {}, after: null }],
    ['a sweep without its place', sweepMessage.read, { sweep: SWEEP }],
    ['a sweep after no job', sweepMessage.read, { sweep: SWEEP, after: {} }],
  ])('of %s cannot be read', (_, read, message) => {
    expect(read({ ...message, version: 1 })).toMatchObject({ ok: false, error: { is: 'broken' } })
  })
})

describe('the profile of a point of sale', () => {
  const account = { id: 'a', psp: 'sandbox', mode: 'test', sealed: null }
  const profile = {
    pos: 'p',
    mode: 'test',
    signReturn: true,
    signingVersion: 1,
    routes: [{ paymentMethod: '*', account: 'a' }],
    accounts: [],
    name: 'A shop',
    access: { asOf: 1, tokensSince: 0, generations: [] },
  }
  const isRead = (stored: object): boolean => v.safeParse(Profile, stored).success

  it('is read as it was written', () => {
    expect(v.parse(Profile, profile)).toEqual(profile)
  })

  it.each(Object.keys(profile))('is not read without %s', (name) => {
    expect(isRead({ ...profile, [name]: undefined })).toBe(false)
  })

  it('is not read with a route or an account that is empty', () => {
    expect(isRead({ ...profile, routes: [{}] })).toBe(false)
    expect(isRead({ ...profile, accounts: [{ ...account, id: undefined }] })).toBe(false)
  })
})
