import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { readConfig, readRoleTable, roleOf } from '../../src/platform/config.ts'
import worker from '../../src/index.ts'
import { ORIGIN } from '../support/hub/hub.ts'

const LONG = '23456789abcdef01'.repeat(4)
const SECRETS = {
  OPERATOR_TOKEN: '0123456789abcdef'.repeat(4),
  SIGNING_ROOT: '123456789abcdef0'.repeat(4),
  SEALING_KEY: LONG,
}
function configOf(changes: Partial<Env>) {
  return readConfig({ ...env, ...SECRETS, ...changes })
}

it.each([
  ['', []],
  ['pay.shop.nl', ['pay.shop.nl']],
  ['  Pay.Shop.nl.  hub.shop.com ', ['Pay.Shop.nl.', 'hub.shop.com']],
])('the names of the hub: HUB_HOSTS %j is %j', (HUB_HOSTS, hosts) => {
  expect(configOf({ HUB_HOSTS }).hosts).toEqual(hosts)
})

describe('the environment sets', () => {
  it.each([
    ['400', 400],
    ['30', 30],
    ['', 400],
    ['soon', 400],
    ['0', 400],
    ['-5', 400],
    ['Infinity', 400],
  ])('after how many days jobs are purged: RETENTION_DAYS %j is %i', (RETENTION_DAYS, days) => {
    const config = configOf({ RETENTION_DAYS })
    expect(config.retentionDays).toBe(days)
    expect(config.retention).toBe(days * 86_400_000)
  })

  it.each([
    ['30', 30],
    ['7', 7],
    ['', 30],
    ['0', 30],
    ['never', 30],
  ])(
    "after how many days the customer's address is erased: IP_ADDRESS_DAYS %j is %i",
    (IP_ADDRESS_DAYS, days) => {
      expect(configOf({ IP_ADDRESS_DAYS }).addressRetention).toBe(days * 86_400_000)
    },
  )

  it.each([
    ['allowed', true],
    ['refused', false],
    ['Allowed', false],
    ['true', false],
    ['', false],
  ])('whether loopback addresses are allowed: LOOPBACK_URLS %j is %j', (LOOPBACK_URLS, loopback) => {
    expect(configOf({ LOOPBACK_URLS }).loopback).toBe(loopback)
  })

  it.each([
    [{}, null],
    [{ ACCESS_TEAM: undefined, ACCESS_AUD: undefined, ACCESS_ROLES: undefined }, null],
    [{ ACCESS_ROLES: '*=viewer' }, null],
    [
      { ACCESS_TEAM: 'shop', ACCESS_AUD: ' a  b ', ACCESS_ROLES: '*=viewer' },
      { team: 'shop', audiences: ['a', 'b'], roles: new Map([['*', 'viewer']]) },
    ],
  ])('which proofs of Cloudflare Access count: %j is %j', (vars, value) => {
    expect(configOf(vars as Partial<Env>).access).toEqual({ ok: true, value })
  })

  it.each([
    [{ ACCESS_TEAM: 'shop' }, 'ACCESS_AUD must have the AUD tag of the application.'],
    [{ ACCESS_AUD: 'a' }, 'ACCESS_TEAM must be the TEAM of TEAM.cloudflareaccess.com.'],
    [
      { ACCESS_TEAM: 'shop.cloudflareaccess.com', ACCESS_AUD: 'a' },
      'ACCESS_TEAM must be the TEAM of TEAM.cloudflareaccess.com.',
    ],
    [{ ACCESS_TEAM: 'shop', ACCESS_AUD: 'a', ACCESS_ROLES: 'x' }, 'ACCESS_ROLES cannot be read from "x" on.'],
  ])('what is wrong with %j', (vars, error) => {
    expect(configOf(vars as Partial<Env>).access).toEqual({ ok: false, error })
  })
})

describe('a secret is weak', () => {
  it.each([
    ['OPERATOR_TOKEN', 'a'.repeat(63)],
    ['OPERATOR_TOKEN', 'correct horse battery staple and some more words'],
    ['SIGNING_ROOT', 'g'.repeat(64)],
    ['SIGNING_ROOT', 'a'.repeat(64)],
    ['SEALING_KEY', '01'.repeat(32)],
    ['OPERATOR_TOKEN', 'A'.repeat(43)],
    ['SIGNING_ROOT', `${'A'.repeat(43)}==`],
    ['OPERATOR_TOKEN', ''],
    ['SIGNING_ROOT', 'x'],
    ['SEALING_KEY', ''],
    ['SEALING_KEY', ' , '],
    ['SEALING_KEY', `short,${LONG}`],
  ])('when %s is %j', (name, value) => {
    expect(configOf({ [name]: value }).weakSecrets).toEqual([name])
  })

  it('when it is missing', () => {
    const none = { ...env, OPERATOR_TOKEN: undefined, SIGNING_ROOT: undefined, SEALING_KEY: undefined }
    expect(readConfig(none as unknown as Env).weakSecrets).toEqual(Object.keys(SECRETS))
  })

  it('when it is the same as another', () => {
    expect(configOf({ SIGNING_ROOT: LONG }).weakSecrets).toEqual(['SIGNING_ROOT', 'SEALING_KEY'])
    expect(configOf({ SIGNING_ROOT: LONG.toUpperCase() }).weakSecrets).toEqual([
      'SIGNING_ROOT',
      'SEALING_KEY',
    ])
    expect(configOf({ OPERATOR_TOKEN: LONG, SEALING_KEY: `${LONG} old` }).weakSecrets).toEqual([
      'OPERATOR_TOKEN',
      'SEALING_KEY',
    ])
  })

  it('but not when it is 32 bytes in hex or base64, nor because of an old sealing key behind a good one', () => {
    expect(configOf({}).weakSecrets).toEqual([])
    expect(configOf({ SIGNING_ROOT: 'q7Zb+K0/xWm3vT9sJh2LfYc5RnGd8PaUe1oIkMwXtzB=' }).weakSecrets).toEqual([])
    expect(configOf({ SIGNING_ROOT: 'q7Zb-K0_xWm3vT9sJh2LfYc5RnGd8PaUe1oIkMwXtzB' }).weakSecrets).toEqual([])
    expect(configOf({ SEALING_KEY: `${LONG} short, x` }).weakSecrets).toEqual([])
  })

  function visit(path: string): Promise<Response> {
    const request = new Request(ORIGIN + path) as Parameters<typeof worker.fetch>[0]
    return worker.fetch(request, { ...env, SIGNING_ROOT: 'short' })
  }

  it('and then a customer gets a page that says so', async () => {
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const response = await visit('/pay/x')
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await response.text()).toMatch(/^<!doctype html>/)
    errors.mockRestore()
  })

  it.each(['/v1/guardian', '/operator/v1/pos', '/sandbox/checkout/x', '/'])(
    'and then %s is not served, the answer names it, and so does the log',
    async (path) => {
      const errors = vi.spyOn(console, 'error').mockReturnValue()
      const response = await visit(path)
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({
        detail: expect.stringMatching(/no two the same: SIGNING_ROOT\.$/) as string,
      })
      expect(errors).toHaveBeenCalledWith(
        expect.objectContaining({ event: 'config.weak-secrets', names: 'SIGNING_ROOT' }),
      )
      errors.mockRestore()
    },
  )
})

describe('ACCESS_ROLES', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['group:admins=operator', [['group:admins', 'operator']]],
    [
      ' group:Payment Admins=operator\n service:desk.access=support  *=viewer ',
      [
        ['group:Payment Admins', 'operator'],
        ['service:desk.access', 'support'],
        ['*', 'viewer'],
      ],
    ],
    ['email:ada@shop.nl=operator', [['email:ada@shop.nl', 'operator']]],
    ['group:viewer=support', [['group:viewer', 'support']]],
  ])('%j is read', (text, roles) => {
    expect(readRoleTable(text)).toEqual({ ok: true, value: new Map(roles as [string, 'viewer'][]) })
  })

  it.each<[string, string]>([
    ...[
      ['group:admins', 'group:admins'],
      ['group:admins  ', 'group:admins'],
      ['admins=operator', 'admins=operator'],
      ['ada@shop.nl=operator', 'ada@shop.nl=operator'],
      ['team:admins=operator', 'team:admins=operator'],
      ['group:=operator', 'group:=operator'],
      ['group:admins=root', 'group:admins=root'],
      ['group:a=viewer group:b=admin *=support', 'group:b=admin *=support'],
      ['group:a=viewergroup:b=support', 'group:a=viewergroup:b=support'],
      ['=operator', '=operator'],
      ['group:a=viewer,group:b=support', 'group:a=viewer,group:b=support'],
    ].map(([text = '', rest]): [string, string] => [text, `ACCESS_ROLES cannot be read from "${rest}" on.`]),
    ['group:a=viewer group:a=operator', 'ACCESS_ROLES has "group:a" twice.'],
  ])('%j is wrong', (text, error) => {
    expect(readRoleTable(text)).toEqual({ ok: false, error })
  })
})

it.each([
  [['group:a'], 'viewer'],
  [['group:a', 'email:b', 'service:c'], 'operator'],
  [['email:b', 'group:a'], 'support'],
  [[], null],
  [['d', 'group:A', '', 'email:a', 'group:b'], null],
])('the role of %j is %j', (names, role) => {
  const roles = readRoleTable('group:a=viewer email:b=support service:c=operator')
  expect(roles.ok && roleOf(roles.value, names)).toBe(role)
})

it('the role for everyone is the lowest that anyone has', () => {
  const roles = readRoleTable('*=support group:a=viewer group:b=operator')
  expect(roles.ok && [[], ['group:a'], ['group:b']].map((names) => roleOf(roles.value, names))).toEqual([
    'support',
    'support',
    'operator',
  ])
})
