import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { refuse } from '../../src/contract/result.ts'
import { UnreadableError, isUnreadable, storedShape } from '../../src/platform/stored.ts'

/** A shape in its third version: `name` became `title`, then `tags` came, which has no default. */
const shape = storedShape(
  v.object({ title: v.string(), tags: v.array(v.string()), note: v.optional(v.string(), '') }),
  [({ name, ...rest }) => ({ ...rest, title: name }), (older) => ({ ...older, tags: [] })],
)
const READ = { ok: true, value: { title: 'A', tags: [], note: '' } }

describe('a stored value', () => {
  it.each([
    ['from before there were versions', { name: 'A' }],
    ['of version 1', { version: 1, name: 'A' }],
    ['of version 2', { version: 2, title: 'A' }],
    ['of the present version', { version: 3, title: 'A', tags: [] }],
  ])('%s is read', (_, stored) => {
    expect(shape.read(stored)).toEqual(READ)
  })

  it('keeps a member that a later release added, for the next save', () => {
    const read = shape.read({ version: 3, title: 'A', tags: [], later: { a: 1 } })
    expect(read).toEqual({ ok: true, value: { ...READ.value, later: { a: 1 } } })
    expect(read.ok && shape.write(read.value)).toMatchObject({ version: 3, later: { a: 1 } })
  })

  it('that an upgrade cannot convert is broken', () => {
    const fails = storedShape(v.object({ title: v.string() }), [
      () => {
        throw new TypeError('no tags')
      },
    ])
    expect(fails.read({ version: 1 })).toEqual(
      refuse({ is: 'broken', detail: 'cannot be upgraded from version 1' }),
    )
  })

  it('of a later version is reported as such, and not guessed at', () => {
    expect(shape.read({ version: 4, title: 'A', tags: [] })).toEqual(
      refuse({ is: 'newer', detail: 'is of version 4; this release reads up to 3' }),
    )
  })

  it.each([null, undefined, 'text', 7, [], [{ title: 'A' }]])(
    'that is not an object is broken: %j',
    (stored) => {
      expect(shape.read(stored)).toEqual(refuse({ is: 'broken', detail: 'is not an object' }))
    },
  )

  it.each(['2', 0, -1, 1.5, null, Number.NaN, {}])('with the version %j is broken', (version) => {
    expect(shape.read({ version, title: 'A', tags: [] })).toEqual(
      refuse({ is: 'broken', detail: 'has no readable version' }),
    )
  })

  it('that is broken says where, but not which value is there', () => {
    const broken = shape.read({ version: 3, title: 'A', tags: ['a', { secret: 'live_abc' }] })
    expect(broken).toEqual(refuse({ is: 'broken', detail: 'is not of its form: tags.1' }))
    expect(shape.read({ version: 3, tags: [7] })).toEqual(
      refuse({ is: 'broken', detail: 'is not of its form: title, tags.0' }),
    )
  })
})

it('an unreadable value is recognised by its message, the only part that leaves an object', () => {
  const error = new UnreadableError('the job', { is: 'newer', detail: 'is of version 4' })
  expect(error.message).toBe('unreadable: the job is of version 4')
  expect(isUnreadable(error)).toBe(true)
  expect(isUnreadable(new Error(error.message))).toBe(true)
  expect(isUnreadable(new Error('no connection'))).toBe(false)
  expect(isUnreadable('unreadable: the job')).toBe(false)
})
