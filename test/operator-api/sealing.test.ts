import { stored } from '../support/job.ts'
import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { keyIdOf, sealingKeyId } from '../../src/platform/crypto/seal.ts'
import { accountById } from '../../src/registry/accounts.ts'
import { ORIGIN, createJob, order, tokenFor } from '../support/hub.ts'
import { callWorker } from '../security/call-worker.ts'
import { loggedOf } from '../support/logged.ts'
import { posAt, pspWorld } from '../support/psp-world.ts'

const NEW_KEY = 'a1'.repeat(32)

afterEach(() => vi.restoreAllMocks())

/** POSTs to a hub whose SEALING_KEY holds these keys. */
function post(path: string, bearer: string, SEALING_KEY: string, body: object = {}) {
  return callWorker(
    new Request(ORIGIN + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    { ...env, SEALING_KEY },
  )
}

type Rotated = { sealingKey: string; resealed: string[]; failed: string[]; next?: string | null }

/** Asks the operator API of a hub whose SEALING_KEY holds these keys, page by page. */
async function rotate(SEALING_KEY: string): Promise<Rotated> {
  const all: Rotated = { sealingKey: '', resealed: [], failed: [] }
  for (let query: string | null = ''; query !== null;) {
    const response = await post(`/operator/v1/sealing/rotate${query}`, env.OPERATOR_TOKEN, SEALING_KEY)
    if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`)
    const page: Rotated = await response.json<Rotated>()
    all.sealingKey = page.sealingKey
    all.resealed.push(...page.resealed)
    all.failed.push(...page.failed)
    query = page.next ? `?after=${page.next}` : null
  }
  return all
}

it('credentials are sealed anew under the first key, and payments go on', async () => {
  const world = pspWorld('mollie')
  const pos = await posAt(world)
  const token = await tokenFor(pos)
  const { paymentJob } = await createJob(token)
  const { account: id } = await stored(paymentJob)
  const before = await accountById(env.DB, id)

  const keys = `${NEW_KEY} ${env.SEALING_KEY}`
  const rotated = await rotate(keys)
  expect(rotated.sealingKey).toBe(await sealingKeyId(NEW_KEY))
  expect(rotated.resealed).toContain(id)
  expect(rotated.failed).not.toContain(id)
  const after = await accountById(env.DB, id)
  expect(keyIdOf(after?.sealed ?? '')).toBe(rotated.sealingKey)
  expect(after?.sealed).not.toBe(before?.sealed)
  expect(await env.TOKENS.get(`account:${id}`)).toContain(after?.sealed)

  const created = await post('/v2/paymentjobs', token, NEW_KEY, order)
  expect(await created.json()).toMatchObject({ status: 'PENDING', error: null })
  world.stop()

  expect(await rotate(keys)).toMatchObject({ resealed: [] })
  // Back, for the tests that follow.
  expect((await rotate(`${env.SEALING_KEY} ${NEW_KEY}`)).resealed).toContain(id)
})

it('an account whose key is gone is named, and the others are sealed anew', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const world = pspWorld('mollie')
  await posAt(world)
  world.stop()
  const { failed, resealed } = await rotate('b2'.repeat(32))
  expect(failed.length).toBeGreaterThan(0)
  const events = loggedOf(errors, 'sealing.failed')
  expect(events).toEqual(failed.map((account) => expect.objectContaining({ account }) as object))
  expect(resealed).toEqual([])
})
