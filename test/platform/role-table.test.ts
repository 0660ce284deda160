import { describe, expect, it } from 'vitest'
import { readRoleTable, roleOf } from '../../src/platform/config.ts'

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
