import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { readConfig, readRoleTable, roleOf } from '../../src/platform/config.ts'
import worker from '../../src/index.ts'
import { ORIGIN } from '../support/hub.ts'

const LONG = 'k'.repeat(32)
const SECRETS = { OPERATOR_TOKEN: LONG, SIGNING_ROOT: LONG, SEALING_KEY: LONG }
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

describe('the environment says', () => {
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
    ['allowed', true],
    ['refused', false],
    ['Allowed', false],
    ['true', false],
    ['', false],
  ])('whether loopback addresses pass: LOOPBACK_URLS %j is %j', (LOOPBACK_URLS, loopback) => {
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
  ])('whose proofs of Cloudflare Access count: %j is %j', (vars, value) => {
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
    ['OPERATOR_TOKEN', 'k'.repeat(31)],
    ['OPERATOR_TOKEN', ''],
    ['SIGNING_ROOT', 'x'],
    ['SEALING_KEY', ''],
    ['SEALING_KEY', ' , '],
    ['SEALING_KEY', `short,${LONG}`],
  ])('when %s is %j', (name, value) => {
    expect(configOf({ [name]: value }).weakSecrets).toEqual([name])
  })

  it('when it is not there at all', () => {
    const none = { ...env, OPERATOR_TOKEN: undefined, SIGNING_ROOT: undefined, SEALING_KEY: undefined }
    expect(readConfig(none as unknown as Env).weakSecrets).toEqual(Object.keys(SECRETS))
  })

  it('but not when it has 32 characters, nor for an old sealing key behind a good one', () => {
    expect(configOf({}).weakSecrets).toEqual([])
    expect(configOf({ SEALING_KEY: `${LONG} short, x` }).weakSecrets).toEqual([])
  })

  it.each(['/v1/guardian', '/pay/x', '/operator/v1/pos', '/sandbox/checkout/x', '/'])(
    'and then %s is not served, the answer names it, and so does the log',
    async (path) => {
      const errors = vi.spyOn(console, 'error').mockReturnValue()
      const request = new Request(ORIGIN + path) as Parameters<typeof worker.fetch>[0]
      const response = await worker.fetch(request, { ...env, SIGNING_ROOT: 'short' })
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({
        detail: 'Set these secrets to at least 32 characters: SIGNING_ROOT.',
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
    ['admins=operator', [['admins', 'operator']]],
    [
      ' Payment Admins=operator\n desk=support  *=viewer ',
      [
        ['Payment Admins', 'operator'],
        ['desk', 'support'],
        ['*', 'viewer'],
      ],
    ],
    ['ada@shop.nl=operator', [['ada@shop.nl', 'operator']]],
    ['viewer=support', [['viewer', 'support']]],
  ])('%j is read', (text, roles) => {
    expect(readRoleTable(text)).toEqual({ ok: true, value: new Map(roles as [string, 'viewer'][]) })
  })

  it.each([
    ['admins', 'ACCESS_ROLES cannot be read from "admins" on.'],
    ['admins  ', 'ACCESS_ROLES cannot be read from "admins" on.'],
    ['admins=root', 'ACCESS_ROLES cannot be read from "admins=root" on.'],
    ['a=viewer b=admin c=support', 'ACCESS_ROLES cannot be read from "b=admin c=support" on.'],
    ['a=viewerb=support', 'ACCESS_ROLES cannot be read from "a=viewerb=support" on.'],
    ['=operator', 'ACCESS_ROLES cannot be read from "=operator" on.'],
    ['a=viewer,b=support', 'ACCESS_ROLES cannot be read from "a=viewer,b=support" on.'],
    ['a=viewer a=operator', 'ACCESS_ROLES has "a" twice.'],
  ])('%j is wrong', (text, error) => {
    expect(readRoleTable(text)).toEqual({ ok: false, error })
  })
})

it.each([
  [['a'], 'viewer'],
  [['a', 'b', 'c'], 'operator'],
  [['b', 'a'], 'support'],
  [[], null],
  [['d', 'A', ''], null],
])('the role of %j is %j', (names, role) => {
  const roles = readRoleTable('a=viewer b=support c=operator')
  expect(roles.ok && roleOf(roles.value, names)).toBe(role)
})

it('the role for everybody is the least that somebody has', () => {
  const roles = readRoleTable('*=support a=viewer b=operator')
  expect(roles.ok && [[], ['a'], ['b']].map((names) => roleOf(roles.value, names))).toEqual([
    'support',
    'support',
    'operator',
  ])
})
