import * as v from 'valibot'
import { CloudflareError, type Login, askCloudflare } from './cloudflare.ts'
import type { Settings } from './environment.ts'

/** What a deploy needs of a login, each by a question that only who has it may ask. */
function neededFor({ name }: Settings) {
  return {
    'Workers Scripts': `/workers/scripts/${name}/secrets`,
    'Workers KV Storage': '/storage/kv/namespaces?per_page=100&order=title&direction=asc&page=1',
    D1: '/d1/database?per_page=10&page=1',
    Queues: '/queues?page=1',
  }
}

const Subdomain = v.object({ subdomain: v.pipe(v.string(), v.minLength(1)) })
const Zones = v.array(v.object({ id: v.string() }))

/**
 * Why the login or the account cannot do what a deploy will ask of it, or null: all is asked before
 * the first change. Throws a `CloudflareError` where the login counts for nothing at all.
 */
export async function whatIsMissing(login: Login, settings: Settings): Promise<string | null> {
  const { access, account } = login
  const needed = Object.entries(neededFor(settings))
  const answers = await Promise.allSettled(
    needed.map(([, path]) => askCloudflare(access, `/accounts/${account}${path}`)),
  )
  const failures = answers.flatMap((answer, at) =>
    answer.status === 'rejected'
      ? [{ permission: needed[at]?.[0] ?? '', why: answer.reason as unknown }]
      : [],
  )
  const fault = failures.find(({ why }) => !(why instanceof CloudflareError && why.isRefused))
  const [first] = failures
  if (fault) throw fault.why
  if (first && failures.length === needed.length) throw first.why
  if (first) return lacks(failures.map(({ permission }) => permission))
  const hosts = hostsOf(settings)
  for (const host of hosts) {
    const wrong = await whyNoRoute(login, host)
    if (wrong !== null) return wrong
  }
  return settings['workers_dev'] === false ? null : whyNoSubdomain(login)
}

function lacks(permissions: readonly string[]): string {
  return (
    `The login lacks ${permissions.map((one) => `the permission ${one}`).join(' and ')}, to edit, so nothing ` +
    'was done. Add it to the token at https://dash.cloudflare.com/profile/api-tokens, or run `npx wrangler ' +
    'login` again, and deploy again.'
  )
}

async function whyNoSubdomain({ access, account }: Login): Promise<string | null> {
  const answer = await askCloudflare(access, `/accounts/${account}/workers/subdomain`)
  return v.is(Subdomain, answer)
    ? null
    : 'The account has no name at workers.dev yet, and the hub would have no address, so nothing was done. ' +
        `Choose one at https://dash.cloudflare.com/${account}/workers/onboarding, or give the hub a domain ` +
        'of your own and set workers_dev = false. Then deploy again.'
}

/** The hosts of `routes`, which are in zones of the account. */
function hostsOf(settings: Settings): string[] {
  const { route, routes = [] } = settings
  return [...routes, ...(route === undefined ? [] : [route])]
    .map((one) => (typeof one === 'string' ? one : one.pattern))
    .map((pattern) => pattern.replace(/^\*\.?/, '').replace(/\/.*$/, ''))
}

async function whyNoRoute({ access }: Login, host: string): Promise<string | null> {
  const labels = host.split('.')
  const names = labels.map((_, at) => labels.slice(at).join('.')).slice(0, -1)
  try {
    for (const name of names) {
      const [zone] = v.parse(Zones, (await askCloudflare(access, `/zones?name=${name}`)) ?? [])
      if (!zone) continue
      await askCloudflare(access, `/zones/${zone.id}/workers/routes`)
      return null
    }
  } catch (error) {
    if (!(error instanceof CloudflareError && error.isRefused)) throw error
    return lacks(['Workers Routes'])
  }
  return (
    `This login reaches no zone of ${host}, which routes in the settings names, so nothing was done. The zone must be ` +
    'at Cloudflare in the same account, and the login needs the permission Workers Routes for it, to edit.'
  )
}
