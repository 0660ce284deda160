import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AuditEntry } from '../../src/contract/audit.ts'
import { type AuditLog, auditLog } from '../../src/audit/audit-log.ts'
import { makePos } from '../support/hub/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { entriesAbout } from './audit-entries.ts'

beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())

async function linesOf(answer: Response): Promise<string[]> {
  return new TextDecoder()
    .decode(await answer.arrayBuffer())
    .trimEnd()
    .split('\n')
}

describe('the chain of the audit log', () => {
  it('is verified against the heads in D1, and names the entry that contradicts them', async () => {
    const pos = await makePos()
    const [created] = await entriesAbout(pos.id)
    const { number = 0, hash = '' } = created ?? {}
    const verify = async () => answerTo('GET', `/audit/verify?after=${number - 1}`)
    expect(await verify()).toMatchObject({ wrong: null, next: null })
    const head = env.DB.prepare('insert or replace into audit_heads values (?, ?, ?)')
    await head.bind('2999-01-01', number, hash).run()
    expect(await verify()).toMatchObject({ wrong: null })
    await head.bind('2999-01-01', number, 'another').run()
    const wrong = await verify()
    await env.DB.prepare('delete from audit_heads where day = ?').bind('2999-01-01').run()
    expect(wrong).toMatchObject({
      wrong: { number, reason: expect.stringContaining('2999-01-01') as string },
    })
  })

  it('has no last entry when there is none to verify, which is a finding', async () => {
    const number = 10 ** 15 - 1
    const answer = await operate('GET', `/audit/verify?after=${number}`)
    const wrong = { number, reason: 'is missing' }
    expect(await answer.json()).toEqual({ entries: 0, unfinished: [], wrong, head: null, next: null })
  })

  it('breaks an export off, and logs it, if the log fails on the way', async () => {
    const entry = { number: 1 }
    const page = vi.fn<() => Promise<object[]>>()
    page.mockResolvedValueOnce(Array.from({ length: 1000 }, () => entry))
    page.mockRejectedValueOnce(new Error('the log is down'))
    const append = async () => ({ number: 1, hash: '' })
    vi.spyOn(env.AUDIT_LOG, 'getByName').mockReturnValue({ page, append } as never)
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    await expect((await operate('GET', '/audit/export')).text()).rejects.toThrow('the log is down')
    expect(page).toHaveBeenCalledTimes(2)
    expect(loggedOf(errors, 'export.broken-off')).toHaveLength(1)
  })

  it('is exported over pages, one entry per line, oldest first and without a gap', async () => {
    const record = {
      by: 'me',
      role: 'operator',
      via: 'secret',
      token: '',
      action: 'test.many',
      subject: 'many',
    }
    const told = { ...record, request: 'r', result: 'begun', of: null, before: null, after: null } as const
    // Runs within the object, because this many calls from outside are slow on a busy machine.
    await runInDurableObject(auditLog(env), async (object) => {
      const log = object as unknown as AuditLog
      for (let entry = 0; entry < 1200; entry++) await log.append(told)
    })
    const answer = await operate('GET', '/audit/export')
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = await linesOf(answer)
    const entries = lines.map((line) => JSON.parse(line) as AuditEntry)
    expect(entries.length).toBeGreaterThan(1200)
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, place) => place + 1))
    for (const [place, { previous }] of entries.entries()) {
      expect(previous).toBe(entries[place - 1]?.hash ?? '0'.repeat(64))
    }
    const { at = '' } = entries.at(-1) ?? {}
    const last = await linesOf(await operate('GET', `/audit/export?from=${at}`))
    // The export itself is the newest entry.
    expect(last).toContain(lines.at(-1))
    expect(await linesOf(await operate('GET', '/audit/export?to=2020-01-01T00:00:00Z'))).toEqual([''])
  })
})
