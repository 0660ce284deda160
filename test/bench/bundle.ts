import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { readConfig } from '../../src/local/worker-options.ts'
import { runWrangler } from '../../src/programs/wrangler.ts'

/** Returns the gzipped size (bytes) of the Worker in a build folder. */
export async function gzippedSize(folder: string): Promise<number> {
  return gzipSync(await readFile(join(folder, 'index.js')), { level: 9 }).byteLength
}

/**
 * The part of a V8 CPU profile that counts here: each sample is a node, `delta` (µs) after the one before.
 */
const Profile = v.object({
  nodes: v.array(v.object({ id: v.number(), callFrame: v.object({ functionName: v.string() }) })),
  samples: v.array(v.number()),
  timeDeltas: v.array(v.number()),
})

/** Packs a build folder as an upload does, so that wrangler need not build it again. Returns the file. */
async function pack(folder: string): Promise<string> {
  const { compatibilityDate, compatibilityFlags } = await readConfig(folder)
  const form = new FormData()
  form.set(
    'metadata',
    JSON.stringify({
      main_module: 'index.js',
      compatibility_date: compatibilityDate,
      compatibility_flags: compatibilityFlags,
    }),
  )
  const type = 'application/javascript+module'
  form.set('index.js', new File([await readFile(join(folder, 'index.js'))], 'index.js', { type }))
  const file = join(folder, 'worker.bundle')
  await writeFile(file, await new Response(form).bytes())
  return file
}

/**
 * Returns the CPU time (ms) that a built Worker takes to start on this machine, as `wrangler check startup`
 * profiles it. The platform allows one second:
 * https://developers.cloudflare.com/workers/platform/limits/#worker-startup-time
 */
export async function startupCpu(folder: string): Promise<number> {
  const file = join(folder, 'startup.cpuprofile')
  const { code, output, errors } = await runWrangler(
    ['check', 'startup', '--outfile', file, '--worker', await pack(folder)],
    'captured',
  )
  if (code !== 0) throw new Error(`the start could not be profiled:\n${output}${errors}`)
  const { nodes, samples, timeDeltas } = v.parse(Profile, JSON.parse(await readFile(file, 'utf8')))
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  )
  const active = timeDeltas.filter((_, place) => !idle.has(samples[place] ?? 0))
  return active.reduce((sum, delta) => sum + delta, 0) / 1000
}
