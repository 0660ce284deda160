import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { auditLog } from '../../src/audit/audit-log.ts'
import { namedObject } from '../../src/platform/named-object.ts'

type Namespace = typeof env.JOB_DIRECTORY

/**
 * A namespace that tells which object of which jurisdiction it was asked for. The local runtime has
 * no jurisdictions.
 */
function namespaceOf(jurisdiction: string): Namespace {
  const double = {
    getByName: (name: string) => `${name} in ${jurisdiction}`,
    jurisdiction: (wanted: string) => namespaceOf(wanted),
  }
  return double as unknown as Namespace
}

function objectIn(JURISDICTION: string) {
  return namedObject({ ...env, JURISDICTION }, namespaceOf('no jurisdiction'), 'a')
}

describe('an object of a name', () => {
  it('is in no jurisdiction, unless one is set', () => {
    expect(objectIn('')).toBe('a in no jurisdiction')
  })

  it('is in that of JURISDICTION', () => {
    expect(objectIn('eu')).toBe('a in eu')
  })

  it('is nowhere where JURISDICTION is another: its jobs would be in no place that was meant', () => {
    expect(() => objectIn('EU')).toThrow('JURISDICTION is eu, or empty: not EU')
  })

  it('is in that of JURISDICTION when it is the audit log too', () => {
    const AUDIT_LOG = namespaceOf('no jurisdiction') as unknown as typeof env.AUDIT_LOG
    expect(auditLog({ ...env, JURISDICTION: 'eu', AUDIT_LOG })).toBe('log in eu')
  })

  it('is that which a hub without the variable had', async () => {
    const { JURISDICTION: _, ...before } = env
    const stub = namedObject(before as unknown as Env, env.JOB_DIRECTORY, '2019-03-03')
    await stub.add(['a'])
    expect(await env.JOB_DIRECTORY.getByName('2019-03-03').page(null, 10)).toMatchObject({ ids: ['a'] })
  })
})
