import { describe, expect, it } from 'vitest'
import { type SecretFile, planSecrets } from '../../src/deploy/deploy-plan.ts'

const ALL = ['OPERATOR_TOKEN', 'SIGNING_ROOT', 'SEALING_KEY']
const [, ...TWO] = ALL
const ONE = ['SEALING_KEY']

function file(path: string, names: readonly string[] | null): SecretFile {
  return { path, names }
}
function OWN(names: readonly string[] | null) {
  return file('own', names)
}
function GIVEN(names: readonly string[] | null) {
  return file('given', names)
}

function fromFile(path: string, names: readonly string[], replaced: readonly string[] = []) {
  return { ok: true, value: { from: 'file', path, isMade: false, names, replaced } }
}
function made(path: string) {
  return { ok: true, value: { from: 'file', path, isMade: true, names: ALL, replaced: [] } }
}
const KEPT = { ok: true, value: { from: 'account' } }

describe('the secrets of a deploy', () => {
  it.each([
    ['a first one makes a file', [], null, OWN(null), made('own')],
    ['one after a first that failed uses the file that was made', [], null, OWN(ALL), fromFile('own', ALL)],
    ['a later one keeps those of the account', ALL, null, OWN(null), KEPT],
    ['a later one does so even if the file exists', ALL, null, OWN(ALL), KEPT],
    ['the file gives only what the account lacks', TWO, null, OWN(ALL), fromFile('own', ['OPERATOR_TOKEN'])],
    ['a first one makes the file that is named', [], GIVEN(null), OWN(null), made('given')],
    ['a file that is named comes before its own', [], GIVEN(ALL), OWN(ALL), fromFile('given', ALL)],
    ['a file that is named may replace', ALL, GIVEN(ALL), OWN(null), fromFile('given', ALL, ALL)],
    ['a named one may replace one', ALL, GIVEN(ONE), OWN(null), fromFile('given', ONE, ONE)],
    ['others in a file are left there', [], GIVEN([...ALL, 'MORE']), OWN(null), fromFile('given', ALL)],
  ] as const)('%s', (_, atAccount, given, own, plan) => {
    expect(planSecrets(ALL, atAccount, { given, own })).toEqual(plan)
  })

  it.each([
    ['those of the account would be replaced', ALL, GIVEN(null), OWN(null), /^given does not exist/],
    ['one would be', ['SIGNING_ROOT'], GIVEN(null), OWN(ALL), /already \(SIGNING_ROOT\)\. New ones would/],
    ['neither has one', TWO, null, OWN(null), /but not OPERATOR_TOKEN\..* in own \(NAME=value\)/],
    ['nor has the file', TWO, null, OWN(TWO), /^own has no value for OPERATOR_TOKEN, and neither/],
    ['the first file has too few', [], null, OWN(TWO), /^own has no value for OPERATOR_TOKEN, and neither/],
    ['the named file has too few', ONE, GIVEN(TWO), OWN(ALL), /^given has no value for OPERATOR_TOKEN/],
  ] as const)('nothing is done when %s', (_, atAccount, given, own, why) => {
    expect(planSecrets(ALL, atAccount, { given, own })).toEqual({
      ok: false,
      error: expect.stringMatching(why) as string,
    })
  })
})
