import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { choose, next, openPos } from './clients.ts'
import { fetchKit, proveKit } from './kit-proof.ts'
import { REGISTRY, type ShopFolder, openShopFolder } from './shop-folder.ts'
import { openShops } from './shops.ts'

const hub = inject('hub')
const KIT = 'node_modules/.bin/payment-hub-kit'
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
    const { code, err } = await shop.run(KIT, ['trigger', 'paid'])
    expect([code, err]).toEqual([2, expect.stringContaining('HUB_API_KEY')])
    for (const [program, ...words] of [[KIT], ['node', 'package/kit.js']]) {
      const { out } = await shop.run(program ?? '', [...words, '--help'])
      expect(out).toContain([program, ...words, 'trigger paid'].join(' '))
    }
  })

  it.each(['10.9', '11', '12'])('is installed by npm %s', async (version) => {
    const { folder, run, remove } = await openShopFolder()
    try {
      const tool = await run('npm', ['install', '--prefix', 'tool', `npm@${version}`], REGISTRY)
      if (tool.code !== 0) return console.warn(`No npm ${version} from the registry: ${tool.err}`)
      await fetchKit(hub, folder)
      const npm = join('tool', 'node_modules', 'npm', 'bin', 'npm-cli.js')
      const installed = await run('node', [npm, 'install', './kit.tgz'])
      expect(installed, installed.err).toMatchObject({ code: 0 })
      expect((await run(KIT, ['--version'])).code).toBe(0)
    } finally {
      await remove()
    }
  })

  it('leaves the profiles of operators alone', async () => {
    const { apiKey, signingSecret } = await openPos(hub)
    const keys = { HUB_API_KEY: apiKey, HUB_SIGNING_SECRET: signingSecret, HUB_PROFILE: 'live' }
    const { out } = await shop.run(KIT, ['doctor', '--json'], keys)
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
      const words = ['verify', 'report.json', '--json']
      const { code, out } = await shop.run(KIT, words, { HUB_SIGNING_SECRET: secret })
      return [code, (JSON.parse(out) as { fault: string | null }).fault]
    }
    expect(await verify({ headers, body })).toEqual([0, null])
    expect(await verify({ headers, body: JSON.stringify(JSON.parse(body), null, 2) })).toEqual([
      1,
      'body-rewritten',
    ])
    const sorted = (value: unknown): unknown =>
      typeof value !== 'object' || value === null
        ? value
        : Array.isArray(value)
          ? value.map(sorted)
          : Object.fromEntries(
              Object.entries(value)
                .map(([name, member]) => [name, sorted(member)] as const)
                .toSorted(),
            )
    expect(await verify({ headers, body: sorted(JSON.parse(body)) })).toEqual([1, 'body-reordered'])
    expect(await verify({ headers, body: body.replace('12.50', '99.00') })).toEqual([1, 'body-changed'])
    expect(await verify({ headers, body }, 'A'.repeat(64))).toEqual([1, 'secret-other'])
  })
})
