import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { freePort } from '../../../src/tools/local/free-port.ts'
import { build } from '../../../src/tools/local/build.ts'
import { table } from '../../../src/tools/table.ts'
import { openReceiver } from '../receiver.ts'
import type { Run } from '../run.ts'
import { startHub } from '../servers/hub.ts'
import { newFolder } from '../storages.ts'
import { create } from '../tasks/api-tasks.ts'
import { orderAt } from '../tasks/order.ts'
import { profileWhile } from './inspector.ts'
import { CpuProfile, type Share, partsOfBundle, sharesOf } from './shares.ts'

const [WARM_UP, CREATES, AT_ONCE] = [600, 1200, 16]
/** What is named of the platform's calls in a part: those with more than this share of a create. */
const WORTH_A_WORD = 0.005

/** `--profile`: where the CPU of a create goes, in the sandbox's test mode. True when no create failed. */
export async function runProfile({ quick, tell, show, line }: Run): Promise<boolean> {
  const { path: folder } = await newFolder('memory')
  const [receiver, inspectorPort] = [await openReceiver(), await freePort()]
  tell('building the Worker, not minified')
  await build(join(folder, 'bundle'), '--minify=false')
  const hub = await startHub(join(folder, 'bundle'), join(folder, 'state'), tell, inspectorPort)
  const order = orderAt(receiver.url)
  const creates = async (times: number) => {
    const work = async (_: number, client: Parameters<typeof create>[1]) =>
      void (await create(hub, client, order))
    const { errors, firstError } = await hub.clients.drive(times, AT_ONCE, work, AbortSignal.timeout(120_000))
    if (errors > 0) throw new Error(firstError ?? 'a create failed')
  }
  tell('warming up')
  await creates(WARM_UP)
  const count = quick ? CREATES / 4 : CREATES
  tell(`profiling ${count} creates, ${AT_ONCE} at once`)
  const inspector = await hub.runtime.miniflare.getInspectorURL()
  const profile = v.parse(CpuProfile, await profileWhile(inspector, () => creates(count)))
  const lines = partsOfBundle(await readFile(join(folder, 'bundle', 'index.js'), 'utf8'))
  // The sandbox is a module of its own, and minified.
  const partOf = (url: string, at: number) =>
    url.endsWith('index.js') ? (lines[at] ?? null) : url.endsWith('sandbox.mjs') ? 'src/sandbox' : null
  const shares = sharesOf(profile, partOf)
  await hub.stop()
  receiver.close()
  const total = shares.reduce((sum, { micros }) => sum + micros, 0)
  show(`\nWhere the CPU of a create goes (${(total / count).toFixed(0)} µs each, with the profiler's own)\n`)
  show(
    table(
      ['part', 'share', 'of the platform'],
      shares.map((share) => [share.part, percent(share.micros / total), platformOf(share, total)]),
    ),
  )
  line({
    profile: 'create',
    micros: total / count,
    shares: shares.map((share) => ({ ...share, micros: share.micros / count })),
  })
  return true
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function platformOf({ platform }: Share, total: number): string {
  return Object.entries(platform)
    .filter(([, micros]) => micros / total > WORTH_A_WORD)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, micros]) => `${name} ${percent(micros / total)}`)
    .join(', ')
}
