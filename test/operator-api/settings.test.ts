import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import type { Role } from '../../src/contract/operation.ts'
import { showSettings } from '../../src/operator-api/hub-health.ts'
import wranglerToml from '../../wrangler.toml?raw'
import { answerTo } from '../support/hub/operator.ts'

type Settings = { settings: { name: string; value: string }[] }

async function of(changes: object, role: Role = 'viewer'): Promise<Record<string, string>> {
  const hub = { ...env, ...changes }
  const request = new Request('https://hub.nl/')
  const answer = await showSettings(
    {
      env: hub,
      config: readConfig(hub),
      params: {},
      query: {},
      body: undefined,
      isHead: false,
      pattern: '',
      request,
    },
    { name: 'x', role, via: 'secret' },
  )
  if (!answer.ok) throw new Error('refused')
  const { settings } = answer.value.data
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}

describe('the settings', () => {
  it('are all variables and secrets of wrangler.toml', async () => {
    const [, variables = ''] = /\n\[vars\]\n([^]*?)\n\[/.exec(wranglerToml) ?? []
    const [, secrets = ''] = /required = \[([^\]]*)\]/.exec(wranglerToml) ?? []
    const named = [...`${variables}\n${secrets}`.matchAll(/^([A-Z_]+) = |"([A-Z_]{5,})"/gm)].map(
      ([, variable, secret]) => variable ?? secret,
    )
    const { settings } = await answerTo<Settings>('GET', '/settings')
    expect(settings.map(({ name }) => name).toSorted()).toEqual(named.toSorted())
  })

  it('show no secret: only whether each is set and strong enough', async () => {
    const values = await of({
      OPERATOR_TOKEN: 'short',
      SIGNING_ROOT: '',
      SEALING_KEY: '23456789abcdef01'.repeat(4),
    })
    expect([values['OPERATOR_TOKEN'], values['SIGNING_ROOT'], values['SEALING_KEY']]).toEqual([
      'weak',
      'not set',
      'set',
    ])
  })

  it.each([
    ['https://hooks.example.nl/T0/secret?token=x', 'https://hooks.example.nl'],
    ['', ''],
    ['secret', 'no URL'],
  ])('show only the host of ALERT_URL: %j', async (url, shown) => {
    expect((await of({ ALERT_URL: url }))['ALERT_URL']).toBe(shown)
  })

  it.each([
    ['operator', 'email:jan@shop.nl=operator group:Support Desk=support *=viewer'],
    ['support', 'names: 3'],
    ['viewer', 'names: 3'],
  ] as const)('show the role %s this much of ACCESS_ROLES: %s', async (role, shown) => {
    const ACCESS_ROLES = 'email:jan@shop.nl=operator group:Support Desk=support *=viewer'
    expect((await of({ ACCESS_ROLES }, role))['ACCESS_ROLES']).toBe(shown)
  })

  it('quote no address from an unreadable ACCESS_ROLES', async () => {
    expect((await of({ ACCESS_ROLES: 'email:jan@shop.nl=admin' }))['ACCESS_ROLES']).toBe('unreadable')
  })
})
