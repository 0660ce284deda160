import * as v from 'valibot'
import type { Account, Script } from './account.ts'
import { type Answer, failure, operation, success } from './operation.ts'
import { NO_WORKER, takeUpload } from './take-upload.ts'
import { readUpload } from './upload.ts'

function ofScript(answer: (script: Script, account: Account) => Answer) {
  return (account: Account, { params }: { params: (name: string) => string }): Answer => {
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
    ofScript(({ deployed }) =>
      success({
        deployments: deployed.toReversed().map((id) => ({
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
    async (account, { params, body }) => takeUpload(account, params('script'), await readUpload(body)),
  ),
  operation(
    'GET /workers/scripts/:script/script-settings',
    {},
    ofScript(({ tags }) => success({ tags })),
  ),
  operation(
    'PATCH /workers/scripts/:script/script-settings',
    { body: v.looseObject({ tags: v.exactOptional(v.array(v.string())) }) },
    (account, { params, body }) => {
      const script = account.scripts.get(params('script'))
      if (!script) return NO_WORKER
      script.tags = body.tags ?? script.tags
      return success({})
    },
  ),
  operation('GET /workers/subdomain', {}, ({ subdomain }) =>
    subdomain === null
      ? failure(404, 10_007, 'You do not have a workers.dev subdomain')
      : success({ subdomain }),
  ),
  operation(
    'GET /workers/workers/:script',
    {},
    ofScript(({ name, isOnWorkersDev }) =>
      success({ id: name, name, subdomain: { enabled: isOnWorkersDev, previews_enabled: false } }),
    ),
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
