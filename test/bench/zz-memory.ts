import { mkdir } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../../src/cli/local/build.ts'
import { startBare } from './servers/bare.ts'
import { startHub } from './servers/hub.ts'
import { newFolder } from './storages.ts'
import { openReceiver } from './receiver.ts'
import { create } from './tasks/api-tasks.ts'
import { orderAt } from './tasks/order.ts'
const tell = () => {}
const folder = await newFolder('memory')
const receiver = await openReceiver()
const which = process.argv[2]
const N = Number(process.argv[3]), STEP = Number(process.argv[4])
let server: any
if (which === 'hub') { await build(join(folder.path, 'bundle')); server = await startHub(join(folder.path, 'bundle'), join(folder.path, 'hub'), tell) }
else { await mkdir(join(folder.path, 'bare')); server = await startBare({ created: 900, read: 900, token: 'a'.repeat(64), record: 'x' }, join(folder.path, 'bare'), tell) }
const order = orderAt(receiver.url)
const rss = () => server.pids().map((p: number) => { try { return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${p}/status`, 'utf8'))?.[1]) >> 10 } catch { return 0 } })
console.log(which, 0, rss())
for (let n = 0; n < N; n += STEP) {
  const at = Date.now()
  await server.clients.drive(STEP, 8, async (_: number, c: any) => void (await create(server, c, order, which === 'hub' ? '' : '/alike')), AbortSignal.timeout(600_000))
  console.log(which, n + STEP, rss(), ((Date.now() - at) / STEP).toFixed(1), 'ms each')
}
await new Promise((r) => setTimeout(r, 30_000))
console.log(which, 'after 30 s of rest', rss())
await server.stop(); await folder.remove(); receiver.close()
process.exit(0)
