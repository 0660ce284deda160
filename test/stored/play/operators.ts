import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import worker from '../../../src/index.ts'
import { MINUTE } from '../../../src/contract/timestamp.ts'
import { ORIGIN, makePos, send } from '../../support/hub.ts'
import { nextAddress, operate } from '../../support/operator.ts'
import { type PlayedWorld, TOO_BUSY, pass } from './world.ts'

/** Runs a schedule as the platform does. */
export async function runCron(cron: '17 * * * *' | '*/5 * * * *'): Promise<void> {
  const controller = createScheduledController({ cron, scheduledTime: new Date() })
  await worker.scheduled(controller, env)
}

async function tokenOf(name: string, role: string): Promise<{ id: string; token: string }> {
  return (await operate('POST', '/tokens', { name, role })).json()
}

async function sessionOf(token: string): Promise<string> {
  const response = await operate('POST', '/sessions', undefined, token)
  return (await response.json<{ session: string }>()).session
}

/** Who works with the hub: tokens, one of them revoked, and sessions, one of them ended. */
export async function playOperators() {
  const [support, viewer, former] = [
    await tokenOf('Night desk', 'support'),
    await tokenOf('Auditor', 'viewer'),
    await tokenOf('Somebody who left', 'operator'),
  ]
  await operate('POST', `/tokens/${former.id}/revoke`)
  const [open, ended] = [await sessionOf(viewer.token), await sessionOf(support.token)]
  await send('/operator/v1/sessions/end', {
    method: 'POST',
    headers: { cookie: `__Host-hub-session=${ended}`, origin: ORIGIN, 'cf-connecting-ip': nextAddress() },
  })
  const tokens = { support: support.token, viewer: viewer.token, former: former.token }
  return { tokens, sessions: { open, ended } }
}

/** A shop that is closed. Its first key was revoked before. */
export async function playClosedShop() {
  const pos = await makePos()
  await operate('POST', `/pos/${pos.id}/keys`)
  await operate('POST', `/pos/${pos.id}/keys/revoke`)
  await operate('POST', `/pos/${pos.id}/disable`)
  return pos
}

/** The account of a PSP fails for a while, and works again: an alert begins and ends. */
export async function playAlerts(world: PlayedWorld): Promise<void> {
  world.break(0, TOO_BUSY)
  for (let run = 0; run < 2; run++) {
    await runCron('*/5 * * * *')
    pass(5 * MINUTE)
  }
  world.break(0, null)
  await runCron('*/5 * * * *')
  pass(10 * MINUTE)
  await runCron('*/5 * * * *')
}
