import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Miniflare } from 'miniflare'
import { expect, it } from 'vitest'
import { freePort } from '../../src/programs/free-port.ts'
import { build, migrate } from '../../src/local/serve.ts'
import { type WorkerOptions, workerOptions } from '../../src/local/worker-options.ts'
import { FIRST_RELEASE, withRelease } from '../../src/rehearsal/work-tree.ts'
import { makeSecrets, readSecrets } from '../../src/programs/secrets.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { ask, choose, next, openPos } from '../e2e/clients.ts'
import { openShops } from '../e2e/shops.ts'

/**
 * A gradual deployment as on the platform: the Worker of one release and the objects of the other, with the
 * real code of both and real calls between them.
 */

/** Builds a release's Worker in its own tree, as that release does. */
function buildIn(tree: string, folder: string): void {
  symlinkSync(join(PROJECT, 'node_modules'), join(tree, 'node_modules'))
  const program = "import { build } from './src/tools/local/serve.ts'; await build(process.argv[1])"
  execFileSync(process.execPath, ['--input-type=module', '--eval', program, folder], { cwd: tree })
}

/** A hub with the Worker of one release and the objects of the other. */
async function openMixedHub(tree: string, requests: 'this release' | 'release 1.0') {
  const folder = mkdtempSync(join(tmpdir(), 'payment-hub-mixed-'))
  const [own, first, state] = ['own', 'first', 'state'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const secretsFile = join(folder, 'secrets')
  makeSecrets(secretsFile)
  const secrets = readSecrets(secretsFile)
  const values = { ...secrets, LOOPBACK_URLS: 'allowed', JURISDICTION: '' }
  buildIn(tree, first)
  await Promise.all([build(own), migrate(state)])
  const workers = await Promise.all([workerOptions(own, values), workerOptions(first, values)])
  const [front, back] = requests === 'this release' ? workers : workers.toReversed()
  if (!front || !back) throw new Error('there are two Workers')
  front.config.name = 'requests'
  back.config.name = 'objects'
  back.config.triggers = []
  for (const worker of [front, back]) withObjectsOf('objects', worker)
  const port = await freePort()
  const runtime = new Miniflare({
    host: '127.0.0.1',
    port,
    cf: false,
    resourcePersistencePath: join(state, 'v3'),
    telemetry: { enabled: false },
    handleStructuredLogs: () => {},
    workers: [front, back],
  })
  await runtime.ready
  return {
    url: `http://localhost:${port}`,
    secrets,
    close: async () => {
      await runtime.dispose()
      rmSync(folder, { recursive: true })
    },
  }
}

function withObjectsOf(worker: string, { config }: WorkerOptions): void {
  for (const binding of Object.values(config.env ?? {}))
    if (binding.type === 'durable-object') binding.worker = worker
}

it.each(['this release', 'release 1.0'] as const)(
  'during a deploy, objects of the other release answer requests of %s',
  { timeout: 300_000 },
  (requests) =>
    withRelease(FIRST_RELEASE, async (tree) => {
      const shops = await openShops()
      const hub = await openMixedHub(tree, requests)
      try {
        const pos = await openPos(hub)
        const jobs = `${hub.url}/v2/paymentjobs`
        const { paymentJob: id, payUrl } = await pos.create(shops.url, { order_id: 1 }, 'one')
        expect(await pos.create(shops.url, { order_id: 1, order_number: 'A-1' }, 'one')).toMatchObject({
          paymentJob: id,
        })
        await next(await choose(payUrl, 'paid'))
        expect(await pos.read(id)).toMatchObject({
          status: 'SUCCESS',
          amountPaid: '12.50',
          amountDue: '0.00',
        })
        expect(await pos.refund(id, '2.00')).toMatchObject({ amount: '2.00' })
        await expect(pos.refund(id, '99.00')).rejects.toThrow('must be at most 10.50')
        await expect
          .poll(() => shops.of(id).at(-1), { timeout: 30_000 })
          .toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', amountRefunded: '2.00' })
        const { payments } = await pos.read(id)
        expect(payments.steps.at(-1)).toMatchObject({ action: 'Refund', amountRefunded: '2.00' })
        const other = await pos.create(shops.url)
        const cancelled = await ask(`${jobs}/${other.paymentJob}/cancel`, pos.token, {})
        expect(cancelled).toMatchObject({ status: 'CANCELLED' })
        if (requests === 'release 1.0') return
        await expect(ask(`${jobs}/${id}/captures`, pos.token, {})).rejects.toThrow('deploy-under-way')
        const later = { payment_method: 'creditcard', capture: 'manual' }
        await expect(pos.create(shops.url, later)).rejects.toThrow('deploy-under-way')
        const counter = { payment_method: 'terminal', terminal: 'default' }
        await expect(pos.create(shops.url, counter)).rejects.toThrow('deploy-under-way')
      } finally {
        await hub.close()
        shops.close()
      }
    }),
)
