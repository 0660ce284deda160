import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import state from '../fixtures/release-0.4.0.json'
import worker from '../../src/index.ts'
import { readWeatherCopy } from '../../src/registry/weather-copy.ts'
import { loggedOf } from '../support/logged.ts'
import { send } from '../support/hub.ts'
import { nextAddress, operate } from '../support/operator.ts'
import { batchOf } from '../support/queue.ts'
import { receiver } from '../support/receiver.ts'
import { runCron } from './play/operators.ts'
import { restoreState } from './restore-state.ts'

const { jobs, pos, accounts, operators } = state
const DAY = '2037-02-08'

let outside: ReturnType<typeof receiver>
beforeAll(async () => {
  vi.setSystemTime(state.savedAt)
  await restoreState(state)
  outside = receiver()
})
afterAll(() => {
  outside.stop()
  vi.useRealTimers()
})

async function ask<Body>(path: string): Promise<Body> {
  return (await operate('GET', path)).json<Body>()
}

describe('state of release 0.4.0 is served by this release: operators', () => {
  it('tokens may do what their role may, and a revoked one nothing', async () => {
    const { support, viewer, former } = operators.tokens
    const as = async (token: string) =>
      (await operate('POST', `/jobs/${jobs.paid}/resend`, undefined, token)).status
    expect([await as(viewer), await as(former), await as(support)]).toEqual([403, 401, 200])
    expect((await operate('POST', `/pos/${pos.test.id}/disable`, undefined, support)).status).toBe(403)
  })

  it('a session goes on, and one that was ended does not', async () => {
    const me = async (session: string) => {
      const headers = { cookie: `__Host-hub-session=${session}`, 'cf-connecting-ip': nextAddress() }
      const response = await send('/operator/v1/me', { headers })
      return [response.status, (await response.json<{ name?: string }>()).name]
    }
    expect(await me(operators.sessions.open)).toEqual([200, 'Auditor'])
    expect(await me(operators.sessions.ended)).toEqual([401, undefined])
  })

  it('the audit log is whole, begins where it began, and goes on', async () => {
    const { entries } = state.objects.AUDIT_LOG.log.sql
    const checked = await ask<object>('/audit/verify')
    expect(checked).toMatchObject({ wrong: null, unfinished: [], next: null })
    expect(await ask<object>(`/audit?subject=${pos.closed.id}&limit=200`)).toMatchObject({
      entries: [
        { action: 'pos.disable' },
        {},
        { action: 'pos.revoke' },
        {},
        { action: 'pos.rekey' },
        {},
        { action: 'pos.create' },
      ],
    })
    await operate('POST', `/pos/${pos.test.id}`, { name: 'Bakery' })
    const faults = vi.spyOn(console, 'error')
    await runCron('17 * * * *')
    expect(loggedOf(faults, 'audit')).toEqual([])
    faults.mockRestore()
    const head = await env.DB.prepare('select number from audit_heads where day = ?')
      .bind(DAY)
      .first('number')
    expect(head).toBeGreaterThanOrEqual(entries.length + 2)
    expect(await ask<object>('/audit/verify')).toMatchObject({ wrong: null })
  })

  it('figures are what they were, and the index has the truth of all that is listed', async () => {
    const { total } = await ask<{ total: object }>(
      '/figures?from=2037-02-05T00:00:00Z&to=2037-02-09T00:00:00Z&mode=test',
    )
    expect(total).toMatchObject({ created: 21, success: 13, expired: 1, cancelled: 2, failure: 1 })
    const wrong = await ask<object>(`/index/${DAY}/verify`)
    expect(wrong).toMatchObject({ wrong: [], wrongHours: [], next: null })
    const { accounts: seen } = await ask<{ accounts: object[] }>('/weather')
    expect(seen).toMatchObject([{ account: accounts.first, state: 'silent', missed: 3 }, {}, {}])
  })

  it.each([
    ['waiting', 'psp-silent-at-announcement', /tried once/],
    ['notAsked', 'psp-silent-at-announcement', /not tried yet, for it had not answered others/],
    ['refusedAccount', 'psp-refuses-credentials', /refused the credentials of wrong-key/],
    ['unanswered', 'psp-silent-at-pulls', /did not answer when the hub asked/],
    ['elsewhere', 'customer-not-back', /went to mollie-2 after mollie-1, which did not answer/],
    ['skipped', 'customer-not-back', /mollie-1 was passed over because it had not answered since/],
    ['cancelledByOperator', 'cancelled-by-operator', /./],
    ['dead', 'report-given-up', /out of memory/],
  ] as const)('why %s stands as it does is told', async (name, cause, happened) => {
    const { why } = await ask<{ why: { cause: string; happened: string } }>(`/jobs/${jobs[name]}`)
    expect(why).toMatchObject({ cause, happened: expect.stringMatching(happened) as string })
  })

  it('alerts last or have ended as they had', async () => {
    const { alerts } = await ask<{ alerts: { subject: string; ended: string | null }[] }>('/alerts')
    expect(new Map(alerts.map(({ subject, ended }) => [subject, ended !== null]))).toEqual(
      new Map([
        ['wrong-key', false],
        [pos.test.id, false],
        [accounts.first, true],
      ]),
    )
  })

  it('an account that routes led to until just now is not removed, and later it is', async () => {
    const row = state.d1.psp_accounts.find(({ id }) => id === accounts.unrouted)
    const remove = async () => (await operate('POST', `/accounts/${accounts.unrouted}/remove`)).status
    vi.setSystemTime(Number(row?.unrouted_at) + 60_000)
    expect(await remove()).toBe(422)
    vi.setSystemTime(state.savedAt)
    expect(await remove()).toBe(200)
    expect((await operate('POST', `/accounts/${accounts.first}/remove`)).status).toBe(422)
  })
})

const QUEUES: Readonly<Record<string, string>> = {
  REPORTS: 'reports',
  JOB_INDEX: 'job-index',
  EDGE: 'edge',
  SWEEPS: 'sweeps',
  ALERTS: 'alerts',
}

describe('messages of release 0.4.0 that are still in a queue', () => {
  it('are of every kind', () => {
    const members = state.messages.map(({ queue, body }) => `${queue} ${Object.keys(body).join()}`)
    expect(new Set(members).size).toBe(8)
  })

  it.each(state.messages)('are read and done: $queue', async ({ queue, body }) => {
    const faults = vi.spyOn(console, 'error')
    const { batch, acked, retried } = batchOf([body], `payment-hub-${QUEUES[queue]}`)
    await worker.queue(batch, env)
    expect(faults.mock.calls).toEqual([])
    faults.mockRestore()
    expect([acked(), retried()]).toEqual([1, 0])
  })

  it('tell other places of the weather', async () => {
    const told = state.messages.flatMap(({ body }) => ('weather' in body ? [body.weather] : []))
    expect(await readWeatherCopy(env.TOKENS)).toEqual(expect.arrayContaining(told))
  })
})
