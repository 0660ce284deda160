import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build, migrate } from '../../src/local/serve.ts'
import { buildSite } from '../build-site.ts'
import { startBuiltHub } from './built-hub.ts'
import { proveKit } from './kit-proof.ts'
import { REGISTRY, openShopFolder } from './shop-folder.ts'

let hub: Awaited<ReturnType<typeof startBuiltHub>>
const endings: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-tests-'))
  endings.push(() => rm(folder, { recursive: true, force: true }))
  const built = { bundle: join(folder, 'bundle'), stateDir: join(folder, 'state') }
  await Promise.all([buildSite(), build(built.bundle), migrate(built.stateDir)])
  hub = await startBuiltHub(built)
  endings.push(hub.stop)
}, 180_000)
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

async function openFolder(...how: Parameters<typeof openShopFolder>) {
  const opened = await openShopFolder(...how)
  endings.push(opened.remove)
  return opened
}

// kit.test.ts uses the project's own Node, which may be newer than both.
it.each(['20.12', '20', '22'])(
  'the kit works on Node %s',
  async (version) => {
    const { folder, run } = await openFolder()
    const { code, err } = await run('npm', ['install', `node@${version}`], REGISTRY)
    if (code !== 0) return console.warn(`No Node ${version} from the registry: ${err}`)
    const node = join(folder, 'node_modules', 'node', 'bin', 'node')
    const shown = await run(node, ['--version'])
    expect(shown.out).toContain(`v${version}.`)
    await proveKit(hub, await openFolder(node))
  },
  300_000,
)
