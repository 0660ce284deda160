import { randomUUID } from 'node:crypto'
import type { Account, Script } from './account.ts'
import { type Answer, failure, success } from './operation.ts'
import type { Version, readUpload } from './upload.ts'

type Upload = Awaited<ReturnType<typeof readUpload>>

export const NO_WORKER = failure(404, 10_007, 'This Worker does not exist on your account.')

/** Accepts an upload and makes it live. */
export function takeUpload(account: Account, name: string, upload: Upload): Answer {
  const before = account.scripts.get(name)
  const script = before ?? newScript(name)
  const version = addVersion(account, script, upload)
  if ('status' in version) return version
  script.deployed.push(version.id)
  account.scripts.set(name, script)
  return success({
    id: name,
    etag: version.id,
    deployment_id: version.id.replaceAll('-', ''),
    startup_time_ms: 9,
    handlers: ['fetch', 'queue', 'scheduled'],
  })
}

function newScript(name: string): Script {
  return { name, tags: [], secrets: new Map(), versions: [], deployed: [], crons: [], isOnWorkersDev: false }
}

/**
 * Adds a version. Everything that it binds must exist, and the previous version must have what it inherits.
 */
export function addVersion(
  account: Account,
  before: Script,
  { metadata, modules }: Upload,
): Version | Answer {
  const secrets = new Map(metadata.keep_bindings?.includes('secret_text') ? before.secrets : [])
  const bindings: Version['bindings'] = []
  for (const binding of metadata.bindings) {
    const wrong = wrongWith(account, binding)
    if (wrong) return failure(400, 10_021, wrong)
    if (binding.type !== 'inherit') {
      if (binding.type === 'secret_text') secrets.set(binding.name, binding.text)
      else bindings.push(binding)
      continue
    }
    const inherited = before.versions.at(-1)?.bindings.find((one) => one.name === binding.name)
    const secret = before.secrets.get(binding.name)
    if (secret !== undefined) secrets.set(binding.name, secret)
    else if (inherited) bindings.push(inherited)
    else {
      return failure(
        400,
        10_057,
        `inherit binding '${binding.name}' is invalid, no such binding in the previous version`,
      )
    }
  }
  const assets = account.manifests.get(metadata.assets.jwt)
  if (!assets) return failure(400, 10_300, 'the static files were not uploaded')
  for (const [secret, text] of secrets) bindings.push({ name: secret, type: 'secret_text', text })
  const version = { id: randomUUID(), metadata, bindings, modules, assets }
  before.secrets = secrets
  before.versions.push(version)
  return version
}

function wrongWith(
  { databases, namespaces, queues }: Account,
  binding: Version['metadata']['bindings'][number],
): string | null {
  const isThere =
    binding.type === 'd1'
      ? databases.has(binding.id)
      : binding.type === 'kv_namespace'
        ? namespaces.has(binding.namespace_id)
        : binding.type === 'queue'
          ? [...queues.values()].some(({ queue_name: queue }) => queue === binding.queue_name)
          : true
  return isThere ? null : `binding ${binding.name} of type ${binding.type} leads to nothing`
}
