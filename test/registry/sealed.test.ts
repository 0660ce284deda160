import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { accountById, resealAccount } from '../../src/registry/accounts.ts'
import { type SealedRecord, sealedRecords } from '../../src/registry/sealed.ts'
import { makePos } from '../support/hub/hub.ts'
import { fakeOf } from '../support/fakes.ts'
import { addAccount } from '../support/psp-world.ts'

it.each([1, 2, 3, 100])(
  'pages of %i have each account once, and then each live point of sale',
  async (limit) => {
    const fake = fakeOf('mollie')
    for (let more = 0; more < 3; more++) {
      await addAccount({ fake, psp: 'mollie' })
      await makePos({ mode: 'live' })
    }
    await makePos()
    const all: SealedRecord[] = []
    let after: SealedRecord | null = null
    do {
      const page = await sealedRecords(env.DB, after, limit)
      expect(page.records.length).toBeLessThanOrEqual(limit)
      // A page that is not full is the last.
      expect(page.next === null).toBe(page.records.length < limit)
      all.push(...page.records)
      after = page.next
    } while (after !== null)
    const idsOf = async (query: string) => (await env.DB.prepare(query).all<{ id: string }>()).results
    const accounts = await idsOf('select id from psp_accounts order by id')
    const live = await idsOf("select id from points_of_sale where mode = 'live' order by id")
    expect(all).toEqual([
      ...accounts.map(({ id }) => ({ is: 'account', id })),
      ...live.map(({ id }) => ({ is: 'pos', id })),
    ])
    expect((await sealedRecords(env.DB, null, limit)).accounts).toBe(accounts.length)
  },
)

it('credentials that were replaced in the meantime are not sealed again', async () => {
  const id = await addAccount({ fake: fakeOf('mollie'), psp: 'mollie' })
  const { sealed = '' } = (await accountById(env.DB, id)) ?? {}
  expect(await resealAccount(env.DB, id, 'anew', `${sealed} as it was`)).toBe(false)
  expect(await accountById(env.DB, id)).toMatchObject({ sealed })
  expect(await resealAccount(env.DB, id, 'anew', sealed)).toBe(true)
  expect(await accountById(env.DB, id)).toMatchObject({ sealed: 'anew' })
  // Restored, for the tests that seal all accounts again.
  await resealAccount(env.DB, id, sealed, 'anew')
})
