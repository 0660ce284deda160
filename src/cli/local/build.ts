import { runWrangler } from '../wrangler.ts'

/**
 * Builds the Worker as a deploy does, into a folder: that of wrangler.toml, or the one that begins in the file `entry`.
 * Throws with wrangler's words when that fails.
 */
export const build = async (folder: string, ...entry: [] | [string]): Promise<void> => {
  const { code, output, errors } = await runWrangler(
    ['deploy', ...entry, '--dry-run', '--outdir', folder],
    'captured',
  )
  if (code !== 0) throw new Error(`the Worker could not be built:\n${output}${errors}`)
}
