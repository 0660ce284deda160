import { runWrangler } from '../wrangler.ts'

/**
 * Builds the Worker as a deploy does, into a folder: that of wrangler.toml, or with other arguments, such as the file it begins in.
 * Throws with wrangler's words when that fails.
 */
export const build = async (folder: string, ...others: string[]): Promise<void> => {
  const { code, output, errors } = await runWrangler(
    ['deploy', ...others, '--dry-run', '--outdir', folder],
    'captured',
  )
  if (code !== 0) throw new Error(`the Worker could not be built:\n${output}${errors}`)
}
