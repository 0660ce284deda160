import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountCheckOf } from '../../src/monitoring/check-accounts.ts'
import { accountById } from '../../src/registry/accounts.ts'
import { createJob, makePos, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { ringNext, stored } from '../support/jobs/job.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { entriesAbout } from './audit-entries.ts'
import { type PspWorld, addAccount, posAt, pspWorld, route } from '../support/psp-world.ts'

let world: PspWorld
beforeEach(() => {
  world = pspWorld('mollie')
})

const KEY = 'live_firstaccount01'
const account = { id: 'shop-1', psp: 'mollie', mode: 'live', credentials: { apiKey: KEY } }

describe('an account', () => {
  it('is refused with the names of missing fields', async () => {
    const refused = await operate('POST', '/accounts', { id: 'nameless', credentials: { apiKey: KEY } })
    expect(refused.status).toBe(422)
    const required = ['mode', 'psp'].map((field) => ({ field, error: 'is required' }))
    expect(await refused.json()).toMatchObject({ code: 'fields-invalid', errors: required })
  })

  it('is added, listed and checked, and its credentials are never shown again', async () => {
    const added = await operate('POST', '/accounts', { ...account, id: 'seen-once' })
    expect(added.status).toBe(201)
    const texts = [
      await added.text(),
      await (await operate('GET', '/accounts')).text(),
      await (await operate('POST', '/accounts/seen-once/check')).text(),
      JSON.stringify(await accountById(env.DB, 'seen-once')),
      String(await env.TOKENS.get('account:seen-once')),
    ]
    for (const text of texts) {
      expect(text).toContain('seen-once')
      expect(text).not.toContain(KEY)
    }
    expect(JSON.parse(texts[2] ?? '')).toEqual({
      id: 'seen-once',
      result: 'working',
      message: null,
      notifications: { state: 'none', last: null },
    })
  })

  it('whose credentials the PSP refuses fails its check in the words of the PSP', async () => {
    const credentials = { apiKey: 'live_nobodyhasthis' }
    await operate('POST', '/accounts', { ...account, id: 'refused', credentials })
    const checked = await answerTo('POST', '/accounts/refused/check')
    expect(checked).toMatchObject({ result: 'refused', message: expect.stringContaining('authenticate') })
    world.fault = () => new Response('', { status: 503 })
    const down = await answerTo('POST', '/accounts/refused/check')
    expect(down).toMatchObject({ result: 'unavailable' })
  })

  it.each<[string, object, string]>([
    ['no id', { id: undefined }, 'id'],
    ['an id with capitals', { id: 'Shop' }, 'id'],
    ['the id of the sandbox', { id: 'sandbox' }, 'id'],
    ['a PSP that the hub does not know', { psp: 'paypro' }, 'psp'],
    ['no mode', { mode: undefined }, 'mode'],
    ['an unknown mode', { mode: 'real' }, 'mode'],
    ['no credentials', { credentials: undefined }, 'credentials'],
    ['credentials that are a text', { credentials: KEY }, 'credentials'],
    ['a key missing', { credentials: {} }, 'credentials.apiKey'],
    ['a key of another form', { credentials: { apiKey: 'sk_12345' } }, 'credentials.apiKey'],
    ['a test key in live mode', { credentials: { apiKey: 'test_0123456789' } }, 'credentials'],
    ['an endpoint that is not this machine', { endpoint: 'https://evil.test' }, 'endpoint'],
    ['an endpoint that ends with a slash', { endpoint: 'http://localhost:1/' }, 'endpoint'],
  ])('with %s is refused, naming the field but not the key', async (_, changes, field) => {
    const answer = await operate('POST', '/accounts', { ...account, id: 'wrong', ...changes })
    expect(answer.status).toBe(422)
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ field })
    for (const key of [KEY, 'sk_12345', 'test_0123456789']) expect(text).not.toContain(key)
    expect(await accountById(env.DB, 'wrong')).toBeNull()
  })

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080/v2', 'http://[::1]:8080'])(
    'may be at an address of this machine in the local run: %s',
    async (endpoint) => {
      const id = `at-${crypto.randomUUID()}`
      expect((await operate('POST', '/accounts', { ...account, id, endpoint })).status).toBe(201)
    },
  )

  it('is added only once', async () => {
    expect((await operate('POST', '/accounts', { ...account, id: 'twice' })).status).toBe(201)
    const again = await operate('POST', '/accounts', { ...account, id: 'twice' })
    expect(again.status).toBe(422)
    expect(await again.json()).toMatchObject({ field: 'id' })
  })

  it('gets other credentials without losing its routes or ending a token', async () => {
    const pos = await makePos({ mode: 'live' })
    const id = await addAccount(world, 0)
    await route(pos, '*', id)
    const token = await tokenFor(pos)
    await createJob(token)
    const asked = vi.spyOn(world.fake, 'handle')
    const rekeyed = await operate('POST', `/accounts/${id}/credentials`, {
      credentials: world.fake.accounts[1],
    })
    expect(rekeyed.status).toBe(200)
    const [done] = (await entriesAbout(id)).slice(-1)
    const [before, after] = [done?.before?.['credentials'], done?.after?.['credentials']]
    expect([before, after]).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ])
    expect(before).not.toBe(after)
    expect((await createJob(token)).status).toBe('PENDING')
    const [, other] = world.fake.accounts as [unknown, { apiKey: string }]
    expect(asked.mock.calls[0]?.[0].headers.get('authorization')).toBe(`Bearer ${other.apiKey}`)
  })

  it('leaves in the audit log what was removed, and whether by force', async () => {
    const id = await addAccount(world, 0)
    await operate('POST', `/accounts/${id}/remove?force=1`)
    const [done] = (await entriesAbout(id)).slice(-1)
    expect(done).toMatchObject({ result: 'done', after: { removed: true, force: true } })
  })

  it('names only a few of the points of sale that route to it', async () => {
    const id = await addAccount(world, 0)
    const shops = await Promise.all(Array.from({ length: 6 }, () => makePos({ mode: 'live' })))
    for (const shop of shops) await route(shop, '*', id)
    const refused = await operate('POST', `/accounts/${id}/remove`)
    const { detail, field } = await refused.json<{ detail: string; field: string }>()
    expect(field).toBe('id')
    expect(detail).toMatch(
      new RegExp(`^Points of sale still use ${id}: (\\w{32}, ){4}\\w{32} and 1 more\\. Change`),
    )
  })

  it('is not removed while a route leads to it or payments are open', async () => {
    const pos = await posAt(world)
    const token = await tokenFor(pos)
    const { paymentJob: job } = await createJob(token)
    const { account: id } = await stored(job)
    const routed = await operate('POST', `/accounts/${id}/remove`)
    expect([routed.status, await routed.text()]).toEqual([422, expect.stringContaining(pos.id)])
    await operate('POST', `/pos/${pos.id}/routes`, { paymentMethod: '*', accounts: [] })
    const soon = await operate('POST', `/accounts/${id}/remove`)
    expect([soon.status, await soon.text()]).toEqual([422, expect.stringContaining('not listed before')])
    // Later every location knows that the route is gone, and the first question sends the row of
    // the payment.
    await ringNext(job)
    vi.setSystemTime(Date.now() + 5 * 60_000)
    const indexed = () => env.DB.prepare('select status from jobs where id = ?').bind(job).first('status')
    await vi.waitFor(async () => expect(await indexed()).toBe('PENDING'))
    const open = await operate('POST', `/accounts/${id}/remove`)
    expect([open.status, await open.json()]).toMatchObject([
      422,
      { field: 'id', detail: expect.stringContaining('has 1 open payment') },
    ])
    world.fake.bring(job, 'paid')
    await send(`/return/${job}`)
    expect((await readJob(token, job)).status).toBe('SUCCESS')
    await vi.waitFor(async () => expect(await indexed()).toBe('SUCCESS'))
    expect((await operate('POST', `/accounts/${id}/remove`)).status).toBe(200)
    expect(await accountById(env.DB, id)).toBeNull()
    expect((await operate('POST', `/accounts/${id}/remove`)).status).toBe(404)
  })

  it('loses its answers with its removal: an account that gets its id later starts without any', async () => {
    const again = { ...account, id: 'comes-again' }
    await operate('POST', '/accounts', again)
    await operate('POST', `/accounts/${again.id}/check`)
    expect(await accountCheckOf(env.DB, again.id)).toMatchObject({ state: 'working' })
    expect((await operate('POST', `/accounts/${again.id}/remove`)).status).toBe(200)
    expect(await accountCheckOf(env.DB, again.id)).toBeUndefined()
  })
})

it('the list of PSPs says which credentials each one needs', async () => {
  const { psps } = await answerTo<{
    psps: { psp: string; credentials: { name: string; description: string }[] }[]
  }>('GET', '/psps')
  expect(psps.map(({ psp }) => psp)).toContain('stripe')
  for (const { credentials } of psps) {
    expect(credentials.length).toBeGreaterThan(0)
    for (const { description } of credentials) expect(description).not.toBe('')
  }
})
