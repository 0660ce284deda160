import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, vi } from 'vitest'
import { makePos, tokenFor } from '../support/hub/hub.ts'
import { brokenPlatform, echoingPsp, wholePayment } from './canary-scenes.ts'
import { CANARIES, type Stage, openStage } from './canary-stage.ts'
import { around, dumpD1, dumpJobs, dumpKv, holds, watchLogs } from './evidence.ts'
import { misplacements } from './misplaced.ts'
import { livePosWith } from './sealed-account.ts'

/**
 * Where each secret may appear. `answers` are those below 400, `refusals` the others; `objects` is what jobs
 * store; `psp` and `shop` are the requests to them.
 */
const MAY_BE = {
  'API key': [],
  'access token': [],
  'signing secret': [],
  'operator token': [],
  SIGNING_ROOT: [],
  SEALING_KEY: [],
  'PSP key': ['psp'],
  'PSP credentials of no known form': [],
  'PSP credentials that are no JSON': [],
  ip_address: ['objects'],
  // A refusal is a customer's page, too, with the way back to the shop.
  'query of return_url': ['answers', 'objects', 'refusals', 'shop'],
  'query of report_url': ['answers', 'objects', 'shop'],
} as const satisfies Record<string, readonly Place[]>

type Place = 'logs' | 'KV' | 'D1' | 'answers' | 'refusals' | 'objects' | 'psp' | 'shop'
type Secret = keyof typeof MAY_BE

let logs: ReturnType<typeof watchLogs>
let stage: Stage
let secrets: Record<Secret, string>

beforeAll(async () => {
  logs = watchLogs()
  stage = openStage()
  const pos = await makePos()
  const token = await tokenFor(pos)
  secrets = {
    'API key': pos.apiKey,
    // The first 32 characters name the point of sale, and are not secret.
    'access token': token.slice(32),
    'signing secret': pos.signingSecret,
    'operator token': env.OPERATOR_TOKEN,
    SIGNING_ROOT: env.SIGNING_ROOT,
    SEALING_KEY: env.SEALING_KEY,
    'PSP key': CANARIES.pspKey,
    'PSP credentials of no known form': CANARIES.noForm,
    'PSP credentials that are no JSON': CANARIES.noJson,
    ip_address: CANARIES.ipAddress,
    'query of return_url': CANARIES.returnQuery,
    'query of report_url': CANARIES.reportQuery,
  }
  await wholePayment(stage, token)
  await echoingPsp(
    stage,
    (await livePosWith(JSON.stringify({ credentials: { apiKey: CANARIES.pspKey } }))).token,
  )
  const { noJson, noForm } = CANARIES
  for (const credentials of [noJson, JSON.stringify({ apiKey: noForm }), JSON.stringify({ [noForm]: 1 })]) {
    await stage.create((await livePosWith(credentials)).token)
  }
  await brokenPlatform(stage, pos.apiKey, token)
  for (const secret of [pos.apiKey, token, env.OPERATOR_TOKEN, CANARIES.pspKey]) {
    for (const [path, init] of misplacements(secret, token)) await stage.ask(path, init)
  }
  vi.useRealTimers()
  // The index gets its rows from a queue, in batches of two seconds.
  await vi.waitFor(async () => expect(await dumpD1()).toContain(stage.jobs[0]), {
    timeout: 20_000,
    interval: 200,
  })
}, 60_000)

it.each(Object.keys(MAY_BE) as Secret[])('%s is found where it may be, and nowhere else', async (name) => {
  const found: Record<Place, string> = {
    logs: logs.lines.join('\n'),
    KV: await dumpKv(),
    D1: await dumpD1(),
    answers: stage.answers.join('\n'),
    refusals: stage.refusals.join('\n'),
    objects: await dumpJobs(stage.jobs),
    psp: stage.world.toPsp.join('\n'),
    shop: stage.world.toShop.join('\n'),
  }
  const places = Object.entries(found).filter(([, text]) => holds(text, secrets[name]))
  const where = places.map(([place, text]) => `${place}: …${around(text, secrets[name])}…`).join('\n\n')
  expect(places.map(([place]) => place).toSorted(), where).toEqual([...MAY_BE[name]].toSorted())
})

it('was searched for in all that happened', () => {
  expect(logs.lines.length).toBeGreaterThan(10)
  expect(stage.refusals.length).toBeGreaterThan(100)
  expect(stage.refusals.join('\n')).toContain('application/problem+json')
})
