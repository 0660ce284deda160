import type { Operation } from '../../src/contract/operation.ts'
import { OPERATOR_OPERATIONS } from '../../src/contract/operator-operations.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { auditLog } from '../../src/audit/audit-log.ts'
import { createJob, makePos, order, payAs, tokenFor } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { pspWorld } from '../support/psp-world.ts'

beforeEach(() => {
  pspWorld('mollie')
  for (const method of ['log', 'warn', 'error'] as const) vi.spyOn(console, method).mockReturnValue()
})

/** Returns all that the log has stored, as text. */
function wholeLog(): Promise<string> {
  return runInDurableObject(auditLog(env), (_, { storage }) =>
    JSON.stringify(storage.sql.exec('select * from entries').toArray()),
  )
}

/** The operations that the table marks as changes. */
const ACTIONS = Object.values<Operation>(OPERATOR_OPERATIONS).flatMap(({ audit }) => audit?.action ?? [])

const CUSTOMER = { address: '203.0.113.251', mail: 'marked-customer@example.com', street: 'Marked Street 7' }
const KEYS = ['live_markedsecret01', 'live_markedsecret02', 'sk_live_markedsecret03']

it('no secret, no key and nothing of a customer is in the audit log, whatever was changed and however wrongly', async () => {
  const secrets: string[] = [...KEYS, ...Object.values(CUSTOMER)]
  const answered = async (method: string, path: string, body?: unknown, token?: string) => {
    const answer = await operate(method, path, body, token)
    return JSON.parse(await answer.text()) as Record<string, string>
  }
  const keep = ({ apiKey = '', signingSecret = '' }: Record<string, string>): void =>
    void secrets.push(...[apiKey, signingSecret].filter(Boolean))

  const pos = await makePos()
  keep(pos)
  const mark = { apiKey: KEYS[0], credentials: { apiKey: KEYS[1] }, secret: KEYS[2] }
  await operate('POST', `/pos/${pos.id}`, { name: 'Marked' })
  await operate('POST', `/pos/${pos.id}`, { name: 'Marked', ...mark })
  await operate('POST', `/pos/${pos.apiKey}/disable`)
  await operate('POST', `/pos/${pos.id}/disable`)
  await operate('POST', `/pos/${pos.id}/enable`)
  keep(await answered('POST', `/pos/${pos.id}/keys`))
  await operate('POST', `/pos/${pos.id}/keys/revoke`)
  keep(await answered('POST', `/pos/${pos.id}/secret`, { overlapHours: 0.5 }))
  const { pin = '' } = await answered('POST', `/pos/${pos.id}/refund-pin`, { pin: '91827364' })
  await operate('POST', `/pos/${pos.id}/refund-pin`, { pin: KEYS[0] })
  secrets.push(`"${pin}\\"`)
  const live = await answered('POST', '/pos', { name: 'Live', mode: 'live' })
  keep(live)

  await operate('POST', '/tokens', { name: 'Desk', role: 'viewer', token: KEYS[0] })
  const desk = await answered('POST', '/tokens', { name: 'Desk', role: 'viewer' })
  // Sessions are limited by operator, and other test files begin some as the first one.
  const { session = '' } = await answered('POST', '/sessions', undefined, desk['token'])
  secrets.push(desk['token'] ?? '', session)
  await operate('POST', '/sessions/end')
  await operate('POST', `/sessions/${KEYS[2]}/end`)
  await operate('POST', `/tokens/${desk['id']}/revoke`)
  keep(await answered('POST', '/alerts/secret'))
  await operate('POST', '/alerts/test')

  const account = { id: 'marked', psp: 'mollie', mode: 'live', credentials: { apiKey: KEYS[0] } }
  await operate('POST', '/accounts', { ...account, credentials: { apiKey: KEYS[2] } })
  await operate('POST', '/accounts', { ...account, id: KEYS[0], psp: KEYS[1], mode: KEYS[2] })
  expect((await operate('POST', '/accounts', account)).status).toBe(201)
  await operate('POST', `/accounts/${KEYS[2]}/credentials`, { credentials: KEYS[1] })
  await operate('POST', '/accounts/marked/credentials', { credentials: { apiKey: KEYS[1] } })
  await operate('POST', '/accounts/marked/currencies', { currencies: [KEYS[1]] })
  await operate('POST', '/accounts/marked/currencies', { currencies: ['EUR'] })
  await operate('POST', '/accounts/marked/check')
  await operate('POST', '/accounts/marked/announce')
  await operate('POST', '/accounts/marked/terminals', { terminal: 'T1', apiKey: KEYS[0] })
  await operate('POST', '/accounts/marked/terminals', { terminal: 'T1' })
  await operate('POST', `/pos/${live['id']}/terminals`, { terminal: KEYS[0] })
  await operate('POST', '/accounts/marked/terminals/T1/remove')
  await operate('POST', `/pos/${live['id']}/routes`, { paymentMethod: '*', accounts: ['marked'] })
  await operate('POST', `/pos/${live['id']}/routes`, { paymentMethod: KEYS[0], accounts: KEYS })
  await operate('POST', `/pos/${live['id']}/routes`, { paymentMethod: '*', accounts: [] })
  await operate('POST', '/sealing/rotate')
  await operate('POST', '/accounts/marked/remove?force=1')

  const token = await tokenFor(await makePos())
  secrets.push(token)
  const job = { ...order, ip_address: CUSTOMER.address, return_url: `https://shop.nl/?mail=${CUSTOMER.mail}` }
  const paid = await createJob(token, job)
  await payAs(paid.payUrl, 'paid')
  const open = await createJob(token, job)
  await operate('POST', `/jobs/${open.paymentJob}/announce`)
  await operate('POST', `/jobs/${open.paymentJob}/pull`)
  await operate('POST', `/jobs/${open.paymentJob}/cancel`)
  const refund = { id: crypto.randomUUID(), amount: '5.00', description: CUSTOMER.street }
  expect((await operate('POST', `/jobs/${paid.paymentJob}/refunds`, refund)).status).toBe(200)
  await operate('POST', `/jobs/${paid.paymentJob}/captures`, { ...refund, id: crypto.randomUUID() })
  await operate('POST', `/jobs/${paid.paymentJob}/release`)
  await operate('POST', `/jobs/${paid.paymentJob}/clear-money`, { note: 'Settled', by: CUSTOMER.street })
  await operate('POST', `/jobs/${paid.paymentJob}/resend`)
  await operate('POST', '/reports/resend?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z')
  await operate('POST', `/pos/${pos.id}/reports/resend?until=2020-01-01T00:00:00Z`)
  await operate('POST', '/index/2020-01-01/rebuild')
  await operate('POST', `/jobs/${paid.paymentJob}/personal`)
  const today = new Date().toISOString().slice(0, 10)
  const rows = await (await operate('POST', '/backup/registry')).json<object>()
  await operate('POST', '/restore/registry', rows)
  await operate('POST', '/backup/audit')
  await operate('POST', '/backup/manifest', { parts: [] })
  const jobs = await (
    await operate('POST', `/backup/jobs/${today}`)
  ).json<{ jobs: object[]; counts: object[] }>()
  await operate('POST', `/restore/jobs/${today}`, { jobs: jobs.jobs.slice(-3), counts: jobs.counts })
  await operate('POST', `/jobs/${paid.paymentJob}/erase`)
  await operate('POST', '/books/accounts/sandbox/fetch')
  const payout = { id: 'po', currency: 'EUR', amount: 0, paidAt: 0, from: 1, total: 0, lines: [] }
  await operate('POST', '/books/accounts/sandbox/payouts', payout)
  await operate('POST', '/books/months/1970-01/close', { note: CUSTOMER.street })
  await operate('POST', '/books/months/1970-01/reopen', { mode: 'test' })

  await operate('GET', `/jobs/export?format=csv&q=${KEYS[0]}&order_number=${CUSTOMER.mail}`)
  await operate('GET', '/movements/export?format=csv&month=2020-01')
  await operate('GET', '/audit/export?to=2020-01-01T00:00:00Z')

  const log = await wholeLog()
  for (const action of ACTIONS) expect(log).toContain(`"action\\":\\"${action}\\"`)
  expect(ACTIONS.length).toBeGreaterThan(18)
  secrets.push(env.OPERATOR_TOKEN, env.SIGNING_ROOT, env.SEALING_KEY)
  expect(secrets.every((secret) => secret.length > 10)).toBe(true)
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
})
