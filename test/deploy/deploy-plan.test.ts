import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { type Surroundings, planDeploy, showPlan } from '../../src/deploy/deploy-plan.ts'
import {
  environmentSettings,
  isEnvironment,
  notTakenOver,
  placed,
  Settings,
  readSettings,
} from '../../src/deploy/environment.ts'
import { NOTHING } from '../../src/deploy/look-around.ts'

const production = v.parse(Settings, await readSettings('wrangler.toml'))
const ALL = production.secrets.required
const files = { given: null, own: { path: '.hub/production.secrets', names: null } }
function planOf(found: Surroundings, settings = production) {
  const plan = planDeploy(settings, found, files)
  if (!plan.ok) throw new Error(plan.error)
  return plan.value
}
function whyNot(settings: Settings, found: Surroundings): string {
  const plan = planDeploy(settings, found, files)
  return plan.ok ? '' : plan.error
}
function inJurisdiction(JURISDICTION: string) {
  return { ...production, vars: { ...production.vars, JURISDICTION } }
}
function runs(jurisdiction: string): Surroundings {
  return { ...NOTHING, worker: { secrets: ALL, jurisdiction } }
}

describe('the plan of a deploy', () => {
  it('makes and migrates each database of wrangler.toml the first time', () => {
    const names = production.d1_databases.map(({ binding, database_name: name }) => ({ binding, name }))
    expect(planOf(NOTHING).databases).toEqual(names.map((name) => ({ ...name, isMade: true })))
  })

  it('makes nothing that is there', () => {
    const databases = production.d1_databases.map(({ database_name: name }) => name)
    const queues = production.queues.consumers.map(({ queue: name }) => ({
      name,
      consumers: ['payment-hub'],
    }))
    const plan = planOf({ ...NOTHING, databases, queues, worker: { secrets: ALL, jurisdiction: '' } })
    expect([...plan.namespaces, ...plan.databases, ...plan.queues].filter(({ isMade }) => isMade)).toEqual([])
    expect(plan.secrets).toEqual({ from: 'account' })
  })

  it('makes the one database that was added', () => {
    const added = { binding: 'INDEX_1', database_name: 'payment-hub-index-1', migrations_dir: 'migrations' }
    const settings = { ...production, d1_databases: [...production.d1_databases, added] }
    const plan = planOf({ ...NOTHING, databases: ['payment-hub'] }, settings)
    expect(plan.databases.map(({ name, isMade }) => [name, isMade])).toEqual([
      ['payment-hub', false],
      ['payment-hub-index-1', true],
    ])
  })

  it('shows everything that is made, and where', () => {
    const shown = showPlan(planOf(NOTHING, inJurisdiction('eu')))
    expect(shown).toMatch(/^database +payment-hub +made in the jurisdiction eu, then migrated$/m)
    for (const { queue } of production.queues.consumers) expect(shown).toContain(` ${queue} `)
  })

  it.each([
    ['', ''],
    ['eu', 'eu'],
  ])('keeps a hub in the jurisdiction "%s"', (jurisdiction) => {
    expect(planOf(runs(jurisdiction), inJurisdiction(jurisdiction)).jurisdiction).toBe(jurisdiction)
  })

  it.each([
    ['', 'eu', 'JURISDICTION is "eu" in the settings, but "" in the running hub'],
    ['eu', '', 'JURISDICTION is "" in the settings, but "eu" in the running hub'],
    ['', 'EU', 'JURISDICTION must be "" or "eu", not "EU"'],
  ])('never takes a hub from the jurisdiction "%s" to "%s"', (before, wanted, why) => {
    expect(whyNot(inJurisdiction(wanted), runs(before))).toContain(why)
  })
})

it('another name next to the queues of a running hub is refused', () => {
  const queues = [{ name: 'payment-hub-reports', consumers: ['payment-hub'] }]
  expect(whyNot({ ...production, name: 'shop-hub' }, { ...NOTHING, queues })).toContain(
    'the queue payment-hub-reports belongs to the Worker payment-hub',
  )
})

describe('the settings of an environment', () => {
  const staging = environmentSettings(production, 'staging', {})
  const names = ({ name, d1_databases: databases, queues }: Settings) => [
    name,
    ...databases.map(({ database_name: database }) => database),
    ...queues.producers.map(({ queue }) => queue),
    ...queues.consumers.flatMap(({ queue, dead_letter_queue: dead }) => [queue, ...(dead ? [dead] : [])]),
  ]

  it('have its name after that of the Worker, everywhere', () => {
    expect(names(v.parse(Settings, staging))).toEqual(
      names(production).map((name) => name.replace(/^payment-hub/, 'payment-hub-staging')),
    )
  })

  it('count the limits on requests apart, by numbers that the platform takes', () => {
    const numbers = ['staging', 'acceptance'].flatMap((environment) =>
      v
        .parse(Settings, environmentSettings(production, environment, {}))
        .ratelimits.map(({ namespace_id: id }) => id),
    )
    expect(new Set(numbers).size).toBe(2 * production.ratelimits.length)
    for (const id of numbers) expect(id).toMatch(/^[1-9]\d{7}$/)
  })

  it('find the files of the project from wherever they are written', () => {
    expect(placed(v.parse(Settings, staging), '/project')).toMatchObject({
      main: '/project/src/index.ts',
      assets: { directory: '/project/.wrangler/site' },
      d1_databases: [{ migrations_dir: '/project/migrations' }],
    })
  })

  it('do not take over what leads customers to production, nor ids of what it stores', () => {
    const owned = {
      ...production,
      routes: [{ pattern: 'pay.example.com', custom_domain: true }],
      workers_dev: false,
      kv_namespaces: [{ binding: 'TOKENS', id: '0' }],
      d1_databases: production.d1_databases.map((database) => ({ ...database, database_id: '0' })),
      vars: { ...production.vars, HUB_HOSTS: 'pay.example.com', ALERT_URL: 'https://ops.example.com/alerts' },
    }
    expect(environmentSettings(owned, 'staging', {})).toEqual(
      expect.not.objectContaining({ routes: owned.routes, workers_dev: false }),
    )
    expect(JSON.stringify(environmentSettings(owned, 'staging', {}))).not.toMatch(
      /pay\.example\.com|"(database_)?id"/,
    )
  })

  it('are those of production, except for the changes in its own file', () => {
    const own = {
      routes: [{ pattern: 'pay.staging.example', custom_domain: true }],
      vars: { RETENTION_DAYS: '30' },
    }
    expect(environmentSettings(production, 'staging', own)).toEqual({
      ...staging,
      routes: own.routes,
      vars: { ...production.vars, HUB_HOSTS: '', ALERT_URL: '', RETENTION_DAYS: '30' },
    })
  })

  it('take over what is known from a list, and name all else', () => {
    expect(notTakenOver(production, {})).toEqual([])
    const more = {
      ...production,
      r2_buckets: [],
      services: [],
      kv_namespaces: [{ binding: 'TOKENS', preview_id: '0' }],
      vars: { ...production.vars, ACCESS_ROLES: 'group:Desk=support *=operator' },
    }
    expect(notTakenOver(more, {})).toEqual([
      'r2_buckets',
      'services',
      'kv_namespaces.preview_id',
      'vars.ACCESS_ROLES with *=operator',
    ])
    const own = { r2_buckets: [], services: [], kv_namespaces: [], vars: { ACCESS_ROLES: '' } }
    expect(notTakenOver(more, own)).toEqual([])
    expect(environmentSettings(more, 'staging', {})).not.toHaveProperty('r2_buckets')
  })

  it.each([
    ['staging', true],
    ['eu1', true],
    ['Staging', false],
    ['index-1', false],
    ['1st', false],
    ['', false],
    ['a'.repeat(21), false],
  ])('may be named "%s": %s', (name, may) => {
    expect(isEnvironment(name)).toBe(may)
  })
})
