import type { Database } from '../databases.ts'
import { SECRETS } from '../secrets.ts'

/** Runs a wrangler command; true when it succeeded. */
export type Wrangler = (args: readonly string[], show: 'shown' | 'captured') => Promise<boolean>

/**
 * Deploys in the order that serves a first and a later run alike: each database is made when there is none, and is
 * always migrated before the Worker that relies on it. KV and queues are provisioned by the deploy itself. The
 * reason for stopping, or null.
 */
export const deploy = async (
  wrangler: Wrangler,
  databases: readonly Database[],
  secretsFile?: string,
): Promise<string | null> => {
  for (const database of databases) {
    const failure = await prepare(wrangler, database)
    if (failure) return failure
  }
  const secrets = secretsFile ? ['--secrets-file', secretsFile] : []
  if (await wrangler(['deploy', ...secrets], 'shown')) return null
  return `The Worker was not deployed. It needs these secrets: ${SECRETS.join(', ')}. Give them with \`npm run deploy -- --secrets-file FILE\`; a FILE that does not exist is made with new ones.`
}

/** Makes a database if there is none, and migrates it. */
const prepare = async (wrangler: Wrangler, { binding, name }: Database): Promise<string | null> => {
  const exists = await wrangler(['d1', 'info', name, '--json'], 'captured')
  if (!exists && !(await wrangler(['d1', 'create', name], 'shown'))) {
    return `The database ${name} was neither found nor made. Log in with \`npx wrangler login\`, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.`
  }
  if (await wrangler(['d1', 'migrations', 'apply', binding, '--remote'], 'shown')) return null
  return `The migrations of ${name} were not applied, so the Worker was not deployed.`
}
