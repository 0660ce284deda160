import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'
import { PROJECT, runWrangler } from '../wrangler.ts'
import { writeSettings } from './settings.ts'

/**
 * Builds the Worker as a deploy does, into a folder, with the settings to run it with on this machine: that of wrangler.toml, or with
 * other arguments, such as the file it begins in. Throws with wrangler's words when that fails.
 */
export async function build(folder: string, ...others: string[]): Promise<void> {
  const { code, output, errors } = await runWrangler(
    ['deploy', ...others, '--dry-run', '--outdir', folder],
    'captured',
    // They take VitePress some seconds, and the hub runs without them: dev.ts makes them once it runs.
    { DOCS: 'none' },
  )
  if (code !== 0) throw new Error(`the Worker could not be built:\n${output}${errors}`)
  await writeSettings(folder, unstable_readConfig({ config: join(PROJECT, 'wrangler.toml') }))
}
