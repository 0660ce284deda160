import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { Account, Script } from './account.ts'
import { type Answered, failure, operation, success } from './operation.ts'
import { type Version, readUpload } from './upload.ts'

const NO_WORKER = failure(404, 10_007, 'This Worker does not exist on your account.')

const ofScript = (answer: (script: Script, account: Account) => Answered) => {
  return (account: Account, { params }: { params: (name: string) => string }): Answered => {
    const script = account.scripts.get(params('script'))
    return script ? answer(script, account) : NO_WORKER
  }
}

/** Workers: https://developers.cloudflare.com/api/resources/workers/ */
export const SCRIPTS = [
  operation(
    'GET /workers/services/:script',
    {},
    ofScript(({ name, tags }) =>
      success({
        id: name,
        default_environment: {
          environment: 'production',
          script: { id: name, tag: `tag-of-${name}`, tags, last_deployed_from: 'wrangler' },
        },
      }),
    ),
  ),
  operation(
    'GET /workers/scripts/:script/secrets',
    {},
    ofScript(({ secrets }) => success(Array.from(secrets.keys(), (name) => ({ name, type: 'secret_text' })))),
  ),
  operation(
    'GET /workers/scripts/:script/settings',
    {},
    ofScript(({ versions, secrets }) =>
      success({
        bindings: [
          ...(versions.at(-1)?.bindings ?? []).filter(({ type }) => type !== 'secret_text'),
          ...Array.from(secrets.keys(), (name) => ({ name, type: 'secret_text' })),
        ],
      }),
    ),
  ),
  operation(
    'GET /workers/scripts/:script/deployments',
    {},
    ofScript(({ versions }) =>
      success({
        deployments: versions.toReversed().map(({ id }) => ({
          id,
          source: 'wrangler',
          strategy: 'percentage',
          author_email: 'operator@shop.example',
          annotations: {},
          created_on: '2026-11-22T00:00:00.000Z',
          versions: [{ version_id: id, percentage: 100 }],
        })),
      }),
    ),
  ),
  operation(
    'PUT /workers/scripts/:script',
    {
      body: v.instance(FormData),
      query: v.strictObject({ excludeScript: v.literal('true'), bindings_inherit: v.literal('strict') }),
    },
    async (account, { params, body }) => upload(account, params('script'), await readUpload(body)),
  ),
  operation(
    'PATCH /workers/scripts/:script/script-settings',
    { body: v.strictObject({ tags: v.array(v.string()) }) },
    (account, { params, body }) => {
      const script = account.scripts.get(params('script'))
      if (!script) return NO_WORKER
      script.tags = body.tags
      return success({})
    },
  ),
  operation('GET /workers/subdomain', {}, ({ subdomain }) => success({ subdomain })),
  operation(
    'GET /workers/scripts/:script/subdomain',
    {},
    ofScript(({ isOnWorkersDev }) => success({ enabled: isOnWorkersDev, previews_enabled: false })),
  ),
  operation(
    'POST /workers/scripts/:script/subdomain',
    { body: v.strictObject({ enabled: v.boolean(), previews_enabled: v.exactOptional(v.boolean()) }) },
    (account, { params, body }) => {
      const script = account.scripts.get(params('script'))
      if (!script) return NO_WORKER
      script.isOnWorkersDev = body.enabled
      return success({ enabled: body.enabled, previews_enabled: false })
    },
  ),
  operation(
    'PUT /workers/scripts/:script/schedules',
    { body: v.array(v.strictObject({ cron: v.string() })) },
    (account, { params, body }) => {
      const script = account.scripts.get(params('script'))
      if (!script) return NO_WORKER
      script.crons = body.map(({ cron }) => cron)
      return success({ schedules: body })
    },
  ),
]

/** Takes an upload: what it binds must exist, and what it inherits must have been there. */
const upload = (
  account: Account,
  name: string,
  { metadata, modules }: Awaited<ReturnType<typeof readUpload>>,
): Answered => {
  const before = account.scripts.get(name)
  const secrets = new Map(metadata.keep_bindings?.includes('secret_text') ? before?.secrets : [])
  const bindings: Version['bindings'] = []
  for (const binding of metadata.bindings) {
    const wrong = wrongWith(account, binding)
    if (wrong) return failure(400, 10_021, wrong)
    if (binding.type !== 'inherit') {
      if (binding.type === 'secret_text') secrets.set(binding.name, binding.text)
      else bindings.push(binding)
      continue
    }
    const inherited = before?.versions.at(-1)?.bindings.find(({ name }) => name === binding.name)
    const secret = before?.secrets.get(binding.name)
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
  const script = before ?? { name, tags: [], secrets, versions: [], crons: [], isOnWorkersDev: false }
  script.secrets = secrets
  script.versions.push(version)
  account.scripts.set(name, script)
  return success({
    id: name,
    etag: version.id,
    deployment_id: version.id.replaceAll('-', ''),
    startup_time_ms: 9,
    handlers: ['fetch', 'queue', 'scheduled'],
  })
}

const wrongWith = (
  { databases, namespaces, queues }: Account,
  binding: Version['metadata']['bindings'][number],
): string | null => {
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
