import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Operation, Role } from '../../src/contract/operation.ts'
import { OPERATOR_OPERATIONS } from '../../src/contract/operator-operations.ts'
import { loggedOf } from '../support/logged.ts'
import { makeOperatorToken, operate } from '../support/hub/operator.ts'
import { addressOf } from './routes.ts'

/** Every operation of operators: the tests include new ones. */
const TABLE = Object.values<Operation>(OPERATOR_OPERATIONS).map(({ method, path, role = 'viewer' }) => ({
  method,
  pattern: path,
  role,
}))
const OF_ID = '0'.repeat(32)
function pathOf(pattern: string) {
  return addressOf({ method: '', pattern }, OF_ID).replace('/operator/v1', '')
}

let tokens: Record<Role, string>
beforeAll(async () => {
  const made = await Promise.all(Role.options.map((role) => makeOperatorToken(role)))
  tokens = Object.fromEntries(Role.options.map((role, at) => [role, made[at]?.token ?? ''])) as typeof tokens
})

/** What a viewer may do besides reading: begin and end a session. */
const OWN_SESSION = ['/operator/v1/sessions', '/operator/v1/sessions/end']

it('the table lets a viewer change nothing but their own session', () => {
  const changes = TABLE.filter(({ method, role }) => method === 'POST' && role === 'viewer')
  expect(changes.map(({ pattern }) => pattern)).toEqual(OWN_SESSION)
})

it('the table lets support pull, check, send again and try the alerts, and no more', () => {
  const changes = TABLE.filter(({ method, role }) => method === 'POST' && role === 'support')
  expect(changes.map(({ pattern }) => pattern.replace('/operator/v1', ''))).toEqual([
    '/accounts/:id/check',
    '/accounts/:id/announce',
    '/jobs/:id/resend',
    '/jobs/:id/pull',
    '/jobs/:id/announce',
    '/reports/resend',
    '/pos/:id/reports/resend',
    '/alerts/test',
  ])
})

describe.each(TABLE)('$method $pattern', ({ method, pattern, role: needed }) => {
  // Roles, from the least to the most rights.
  const mayNot = Role.options.slice(0, Role.options.indexOf(needed))

  it(`is refused to ${mayNot.join(' and ') || 'nobody'}, and logged`, async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    for (const role of mayNot) {
      const response = await operate(method, pathOf(pattern), undefined, tokens[role])
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ code: 'role-insufficient' })
      expect(warned).toHaveBeenCalledWith(
        expect.objectContaining({ event: 'operator.forbidden', role, needed, path: pattern }),
      )
    }
    expect(loggedOf(warned, 'operator.forbidden').length).toBe(mayNot.length)
  })
})

describe('what a role may do is never refused because of the role:', () => {
  // An unknown id and no body: this changes nothing of other tests.
  const harmless = TABLE.filter(({ method, pattern }) => method === 'GET' || pattern.includes(':id'))
  it.each(harmless)('$method $pattern by $role', async ({ method, pattern, role }) => {
    const response = await operate(method, pathOf(pattern), undefined, tokens[role])
    expect([200, 404, 415, 422]).toContain(response.status)
  })
})
