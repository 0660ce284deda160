import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { countForLine, describeFault } from '../../src/platform/log.ts'

const SECRET = 'live_abcdefghijkl'

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

function parsed(): unknown {
  return v.parse(v.object({ a: v.object({ key: v.number() }) }), { a: { key: SECRET } })
}

describe('the log of a fault has', () => {
  it('its message and its place', () => {
    expect(describeFault(new Error('no connection'))).toMatch(/^Error: no connection\n +at /)
  })

  it('only the message if there is no stack', () => {
    const error = new Error('no connection')
    delete error.stack
    expect(describeFault(error)).toBe('no connection')
  })

  it('only its cause, however deep', () => {
    const cause = new Error('D1_ERROR: no such table')
    const wrapped = new Error(`Failed query, params: ${SECRET}`, { cause: new Error(SECRET, { cause }) })
    expect(describeFault(wrapped)).toMatch(/^Error: D1_ERROR: no such table\n/)
  })

  it('the field that is malformed', () => {
    expect(describeFault(thrownBy(parsed))).toBe('not of its form: a.key')
  })
})

describe('the log of a fault has none of its data', () => {
  const noJson = thrownBy(() => JSON.parse(`{"key":${SECRET}}`))

  it.each([
    ['that is not of its form', thrownBy(parsed)],
    ['that is not JSON', noJson],
    ['that is not an error', SECRET],
    ['that is wrapped', new Error(SECRET, { cause: noJson })],
  ])('%s', (_, error) => {
    expect(describeFault(error)).not.toContain(SECRET)
  })
})

it('what anyone can cause is a line at once, then one a minute with the number, also after the clock stepped back', () => {
  const kind = crypto.randomUUID()
  const times = [1_000_000, 1_000_001, 1_059_999, 1_060_000, 1_060_001, 500_000, 500_001]
  expect(times.map((now) => countForLine(kind, now))).toEqual([1, 0, 0, 3, 0, 2, 0])
})
