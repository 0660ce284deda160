import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { AuditRecord } from '../../src/audit/audit-chain.ts'
import type { AuditEntry, AuditList } from '../../src/contract/audit.ts'
import { auditLog } from '../../src/audit/audit-log.ts'
import { makePos, send } from '../support/hub/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { makeOperatorToken, answerTo, operate } from '../support/hub/operator.ts'
import { entriesAbout, searchAudit } from './audit-entries.ts'

beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())

/** Makes the log refuse entries that a test chooses by their result. */
function breakLog(results: readonly string[]): void {
  const real = env.AUDIT_LOG.getByName.bind(env.AUDIT_LOG)
  const append = async (record: AuditRecord) => {
    if (results.includes(record.result)) throw new Error('the log is down')
    return real('log').append(record)
  }
  vi.spyOn(env.AUDIT_LOG, 'getByName').mockReturnValue({ append } as never)
}

describe('a change by an operator', () => {
  it('has two entries: who began what, and the values before and after', async () => {
    const pos = await makePos()
    await operate('POST', `/pos/${pos.id}`, { name: 'Another name', signReturn: true })
    const entries = await entriesAbout(pos.id)
    const who = { by: 'OPERATOR_TOKEN', role: 'operator', via: 'secret', subject: pos.id }
    const [created, begun, done] = entries
    expect(entries).toHaveLength(3)
    expect(created).toMatchObject({
      ...who,
      action: 'pos.create',
      result: 'done',
      before: null,
      after: { mode: 'test', name: 'Shop 1', signReturn: false },
    })
    const wanted = { name: 'Another name', signReturn: true }
    expect(begun).toMatchObject({
      ...who,
      action: 'pos.update',
      result: 'begun',
      of: null,
      before: null,
      after: wanted,
    })
    expect(done).toMatchObject({
      ...who,
      action: 'pos.update',
      result: 'done',
      of: begun?.number,
      request: begun?.request,
      before: { name: 'Shop 1', signReturn: false },
      after: wanted,
    })
  })

  it('that is refused has the code of its problem in the log', async () => {
    const pos = await makePos()
    const answer = await operate('POST', `/pos/${pos.id}`, { name: '' })
    expect(answer.status).toBe(422)
    const [, begun, refused] = await entriesAbout(pos.id)
    expect(begun).toMatchObject({ result: 'begun', after: null })
    expect(refused).toMatchObject({ result: 'refused', of: begun?.number, after: { code: 'fields-invalid' } })
  })

  it.each([
    ['body', '/accounts/none/remove?force=1', { force: false }, 'psp.remove'],
    ['body', '/index/2026-01-31/rebuild', { after: 'x' }, 'index.rebuild'],
    ['role', '/tokens?role=viewer', { name: 'Audited', role: 'support' }, 'token.create'],
    ['rol', '/tokens', { name: 'Audited', role: 'support', rol: 'viewer' }, 'token.create'],
    ['credentials', '/pos', { name: 'Audited', credentials: {} }, 'pos.create'],
  ])('with an unknown %s is refused: %s %j', async (field, path, body, action) => {
    const answer = await operate('POST', path, body)
    expect(await answer.json()).toMatchObject({ field })
    const { entries } = await searchAudit({ action, limit: '2' })
    expect(entries).toMatchObject([{ result: 'refused' }, { result: 'begun', after: null }])
  })

  it.each(['', '{}', ' {} '])('that takes no body accepts an empty one: %j', async (body) => {
    const pos = await makePos()
    const headers = { authorization: `Bearer ${env.OPERATOR_TOKEN}` }
    const answer = await send(`/operator/v1/pos/${pos.id}/disable`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
  })

  it('is logged with the id of its token, and with a request id even if the client sent none', async () => {
    const { id, token } = await makeOperatorToken('operator')
    const pos = await makePos()
    const headers = { 'x-request-id': 'one-of-mine' }
    const answer = await operate('POST', `/pos/${pos.id}/disable`, undefined, token, headers)
    const request = answer.headers.get('x-request-id')
    expect(request).not.toBe('one-of-mine')
    const [, begun, done] = await entriesAbout(pos.id)
    expect([begun, done]).toMatchObject([
      { token: id, request },
      { token: id, request },
    ])
  })

  it.each([
    ['/jobs/export?format=csv&pos=Nowhere&status=FAILURE', 'export.jobs', 'refused'],
    ['/jobs/export?format=csv&status=FAILURE&to=2020-01-02T00:00:00Z', 'export.jobs', 'done'],
    ['/audit/export?to=2020-01-02T00:00:00Z', 'export.audit', 'done'],
  ])('counts an export as one: %s', async (path, action, result) => {
    await (await operate('GET', path)).text()
    const { entries } = await searchAudit({ action, limit: '2' })
    const told = { to: '2020-01-02T00:00:00.000Z' }
    expect(entries).toMatchObject([
      { result, ...(result === 'done' ? { after: told } : {}) },
      { result: 'begun' },
    ])
    await operate('HEAD', path)
    expect(await searchAudit({ action, limit: '2' })).toMatchObject({ entries })
  })

  it('that meets a fault is logged as failed, and answered as any fault is', async () => {
    const pos = await makePos()
    vi.spyOn(console, 'error').mockReturnValue()
    const batch = vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('a fault'))
    const answer = await operate('POST', `/pos/${pos.id}/disable`)
    batch.mockRestore()
    expect(answer.status).toBe(500)
    const [, begun, failed] = await entriesAbout(pos.id)
    expect(failed).toMatchObject({ action: 'pos.disable', result: 'failed', of: begun?.number, after: null })
  })

  it('is not made if the log does not take its first entry', async () => {
    const pos = await makePos()
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    breakLog(['begun'])
    const answer = await operate('POST', `/pos/${pos.id}/disable`)
    expect(loggedOf(errors, 'pos.disable')).toMatchObject([{ event: 'audit.unavailable' }])
    vi.restoreAllMocks()
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'unavailable' })
    const disabled = await env.DB.prepare('select disabled_at from points_of_sale where id = ?')
      .bind(pos.id)
      .first('disabled_at')
    expect(disabled).toBeNull()
    expect(await entriesAbout(pos.id)).toHaveLength(1)
  })

  it('that was made and whose second entry was lost is answered, and stays unfinished in the log', async () => {
    const pos = await makePos()
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    breakLog(['done'])
    const answer = await operate('POST', `/pos/${pos.id}/disable`)
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'audit.end-lost', subject: pos.id, action: 'pos.disable' }),
    )
    vi.restoreAllMocks()
    expect(await answer.json()).toEqual({ id: pos.id, disabled: true })
    const { entries, unfinished } = await searchAudit({ subject: pos.id, action: 'pos.disable' })
    expect(entries.map(({ result }) => result)).toEqual(['begun'])
    expect(unfinished).toEqual([entries[0]?.number])
  })

  it('has one end in the log, however often that is written', async () => {
    const subject = crypto.randomUUID()
    const record = { by: 'me', role: 'operator', via: 'secret', token: '', action: 'test.twice', subject }
    const told = { ...record, request: 'r', before: null, after: null }
    const begun = await auditLog(env).append({ ...told, result: 'begun', of: null })
    const end = { ...told, result: 'done', of: begun.number } as const
    const [one, other] = await Promise.all([auditLog(env).append(end), auditLog(env).append(end)])
    expect(one).toEqual(other)
    expect((await entriesAbout(subject)).map(({ result }) => result)).toEqual(['begun', 'done'])
  })

  it('that the role does not allow has no entry: it would have changed nothing', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const pos = await makePos()
    const answer = await operate('POST', `/pos/${pos.id}/disable`, undefined, 'f'.repeat(64))
    expect(answer.status).toBe(401)
    expect(await entriesAbout(pos.id)).toHaveLength(1)
  })
})

describe('the list of the audit log', () => {
  it('is searched by operator, action, subject and time, page by page, newest first', async () => {
    const pos = await makePos()
    for (const action of ['disable', 'enable', 'disable']) await operate('POST', `/pos/${pos.id}/${action}`)
    const all = await entriesAbout(pos.id)
    expect(all).toHaveLength(7)
    const disabled = await searchAudit({ subject: pos.id, action: 'pos.disable' })
    expect(disabled.entries.map(({ result }) => result)).toEqual(['done', 'begun', 'done', 'begun'])
    expect((await searchAudit({ subject: pos.id, by: 'somebody' })).entries).toEqual([])
    const paged: AuditEntry[] = []
    for (let after: string | null = '999999'; after !== null;) {
      const page: AuditList = await searchAudit({ subject: pos.id, limit: '3', after })
      expect(page.entries.length).toBeLessThanOrEqual(3)
      paged.push(...page.entries)
      after = page.next
    }
    expect(paged.toReversed()).toEqual(all)
    const { at = '' } = all[4] ?? {}
    const later = await searchAudit({ subject: pos.id, from: at })
    expect(later.entries.every((entry) => entry.at >= at)).toBe(true)
    const sooner = await searchAudit({ subject: pos.id, to: at })
    expect(sooner.entries.every((entry) => entry.at < at)).toBe(true)
    expect(later.entries.length + sooner.entries.length).toBe(7)
  })

  it('shows the others while one entry cannot be read', async () => {
    const pos = await makePos()
    await operate('POST', `/pos/${pos.id}/disable`)
    const [, begun] = await entriesAbout(pos.id)
    const { number = 0 } = begun ?? {}
    const change = (entry: string) =>
      runInDurableObject(auditLog(env), (_, { storage }) => {
        const [row] = storage.sql.exec<{ entry: string }>(
          'select entry from entries where number = ?',
          number,
        )
        storage.sql.exec('update entries set entry = ? where number = ?', entry, number)
        return row?.entry ?? ''
      })
    const written = await change('not JSON')
    const list = await answerTo<AuditList>('GET', `/audit?subject=${pos.id}`)
    await change(written)
    expect(list.entries.map(({ result }) => result)).toEqual(['done', 'done'])
    expect(list.unreadable).toContain(number)
  })
})
