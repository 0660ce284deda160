import { table } from '../table.ts'
import type { Plan } from './deploy-plan.ts'
import type { SecretsPlan } from './secrets-plan.ts'

/** The plan as a list: what there will be, and what is done for it. */
export function showPlan(plan: Plan): string {
  const { worker, databases, queues, secrets, jurisdiction } = plan
  const where = jurisdiction === '' ? '' : ` in the jurisdiction ${jurisdiction}`
  return table(
    ['what', 'name', 'what is done'],
    [
      ...databases.map(({ name, isMade }) => [
        'database',
        name,
        isMade ? `made${where}, then migrated` : 'migrated, if it is not up to date',
      ]),
      ['secrets', secrets.from === 'account' ? worker : secrets.path, told(secrets)],
      ['KV namespace', `${worker}-tokens`, 'made by the upload, if it is missing'],
      ...queues.map(({ name, isMade }) => ['queue', name, isMade ? 'made by the upload' : 'kept']),
      ['Worker', worker, 'built, uploaded, and asked for its health'],
    ],
  )
}

function told(secrets: SecretsPlan): string {
  if (secrets.from === 'account') return 'kept: Cloudflare has them all'
  if (secrets.isMade) return 'made with new values, then uploaded'
  return secrets.replaced.length > 0
    ? `uploaded from this file, in place of ${secrets.replaced.join(', ')}`
    : `uploaded from this file: ${secrets.names.join(', ')}`
}
