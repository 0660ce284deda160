import { describe, expect, it } from 'vitest'
import { judge } from '../../src/reports/deliver.ts'

function judged(status: number) {
  return judge({ status, headers: new Headers() }).is
}

describe("a receiver's answer", () => {
  it.each([200, 201, 204, 299])('of %i has taken the report', (status) => {
    expect(judged(status)).toBe('delivered')
  })

  it.each([199, 300, 302, 400, 404, 409, 411, 429, 500, 503])('of %i has not: it comes again', (status) => {
    expect(judged(status)).toBe('failed')
  })

  it('of 410 wants no more of it', () => {
    expect(judged(410)).toBe('stopped')
  })
})
