import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { choose, next, openPos } from './clients.ts'
import { proveKit } from './kit-proof.ts'
import { type ShopFolder, openShopFolder } from './shop-folder.ts'
import { openShops } from './shops.ts'

const hub = inject('hub')
let shop: ShopFolder
beforeAll(async () => {
  shop = await openShopFolder()
})
afterAll(() => shop.remove())

describe('the kit that a hub hands out', () => {
  it('takes a shop from an empty folder to a paid order, without a registry', async () => {
    await proveKit(hub, shop)
  })

  it('uses the hub that it came from, and says how it is called', async () => {
    const { code, err } = await shop.run('npx', ['payment-hub-kit', 'trigger', 'paid'])
    expect([code, err]).toEqual([2, expect.stringContaining('HUB_API_KEY')])
    const { out } = await shop.run('npx', ['payment-hub-kit', '--help'])
    expect(out).toContain(`npx ${hub.url}/kit.tgz`)
  })

  it('leaves the profiles of operators alone', async () => {
    const { apiKey, signingSecret } = await openPos(hub)
    const keys = { HUB_API_KEY: apiKey, HUB_SIGNING_SECRET: signingSecret, HUB_PROFILE: 'live' }
    const { out } = await shop.run('npx', ['payment-hub-kit', 'doctor', '--json'], keys)
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ check: 'key', result: 'ok' }))
  })

  it('gives a strict program the typed client', async () => {
    await writeFile(
      join(shop.folder, 'shop.mts'),
      `import { createHub, type Status } from 'payment-hub-kit'
      const hub = createHub({ baseUrl: '${hub.url}', apiKey: 'k' })
      export const statusOf = async (job: string): Promise<Status> => (await hub.getPaymentJob(job)).status`,
    )
    const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')
    const options =
      '--ignoreConfig --noEmit --strict --target es2022 --module nodenext --lib es2022,dom --types'
    const { out } = await shop.run(process.execPath, [compiler, ...options.split(' '), '', 'shop.mts'])
    expect(out).toBe('')
  })

  it('checks a report that a shop has stored', async () => {
    const shops = await openShops()
    const pos = await openPos(hub)
    const job = await pos.create(shops.url)
    await next(await choose(job.payUrl, 'paid'))
    const { headers, body } = await vi.waitFor(
      () => shops.of(job.paymentJob)[0] ?? Promise.reject(new Error('no report has come')),
      20_000,
    )
    shops.close()
    const verify = async (stored: object, secret = pos.signingSecret) => {
      await writeFile(join(shop.folder, 'report.json'), JSON.stringify(stored))
      const words = ['payment-hub-kit', 'verify', 'report.json', '--json']
      const { code, out } = await shop.run('npx', words, { HUB_SIGNING_SECRET: secret })
      return [code, (JSON.parse(out) as { fault: string | null }).fault]
    }
    expect(await verify({ headers, body })).toEqual([0, null])
    expect(await verify({ headers, body: JSON.stringify(JSON.parse(body), null, 2) })).toEqual([
      1,
      'body-rewritten',
    ])
    expect(await verify({ headers, body: body.replace('12.50', '99.00') })).toEqual([1, 'body-changed'])
    expect(await verify({ headers, body }, 'A'.repeat(64))).toEqual([1, 'secret-other'])
  })
})
