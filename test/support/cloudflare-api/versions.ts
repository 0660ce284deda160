import * as v from 'valibot'
import { failure, operation, success } from './operation.ts'
import type { Script } from './account.ts'
import { NO_WORKER, addVersion } from './take-upload.ts'
import { readUpload } from './upload.ts'

function shown({ versions }: Script, id: string) {
  const at = versions.findIndex((version) => version.id === id)
  const version = versions[at]
  return version
    ? {
        id,
        number: at + 1,
        metadata: {
          created_on: '2026-11-22T00:00:00.000Z',
          author_email: 'operator@shop.example',
          source: 'wrangler',
        },
        annotations: {},
        resources: {
          bindings: version.bindings,
          script_runtime: {},
          script: { etag: id, handlers: ['fetch'] },
        },
      }
    : null
}

/**
 * Versions that are uploaded without going live, and deployments, which make one live:
 * https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/versions/
 */
export const VERSIONS = [
  operation(
    'POST /workers/scripts/:script/versions',
    {
      body: v.instance(FormData),
      query: v.strictObject({ bindings_inherit: v.exactOptional(v.literal('strict')) }),
    },
    async (account, { params, body }) => {
      const script = account.scripts.get(params('script'))
      if (!script) return NO_WORKER
      const added = addVersion(account, script, await readUpload(body))
      return 'status' in added
        ? added
        : success({ id: added.id, startup_time_ms: 9, metadata: { has_preview: false } })
    },
  ),
  operation(
    'GET /workers/scripts/:script/versions',
    { query: v.strictObject({ deployable: v.literal('true') }) },
    ({ scripts }, { params }) => {
      const script = scripts.get(params('script'))
      return script
        ? success({ items: script.versions.map(({ id }) => shown(script, id)).toReversed() })
        : NO_WORKER
    },
  ),
  operation('GET /workers/scripts/:script/versions/:version', {}, ({ scripts }, { params }) => {
    const script = scripts.get(params('script'))
    const version = script && shown(script, params('version'))
    return version ? success(version) : failure(404, 10_222, 'The version was not found')
  }),
  operation(
    'POST /workers/scripts/:script/deployments',
    {
      query: v.strictObject({ force: v.exactOptional(v.literal('true')) }),
      body: v.strictObject({
        strategy: v.literal('percentage'),
        versions: v.array(v.strictObject({ version_id: v.string(), percentage: v.number() })),
        annotations: v.looseObject({}),
        code_update_strategy: v.exactOptional(v.unknown()),
      }),
    },
    ({ scripts }, { params, body }) => {
      const script = scripts.get(params('script'))
      const [most] = body.versions.toSorted((one, other) => other.percentage - one.percentage)
      if (!script || !most || !shown(script, most.version_id)) return NO_WORKER
      script.deployed.push(most.version_id)
      return success({ id: most.version_id })
    },
  ),
  operation(
    'PUT /workers/scripts/:script/secrets',
    { body: v.strictObject({ name: v.string(), text: v.string(), type: v.literal('secret_text') }) },
    ({ scripts }, { params, body: { name, text } }) => {
      const script = scripts.get(params('script'))
      if (!script) return NO_WORKER
      script.secrets.set(name, text)
      return success({ name, type: 'secret_text' })
    },
  ),
]
