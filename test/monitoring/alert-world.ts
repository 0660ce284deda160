import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, vi } from 'vitest'
import { HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import worker from '../../src/index.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { watchLogs } from '../security/evidence.ts'
import { makePos } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { pspWorld } from '../support/psp-world.ts'
import { row } from '../support/hub/shards.ts'

export const CRON = '*/5 * * * *'
const ALERT_URL = 'https://operator.example.nl/alerts'
/** The bindings of the tests' Worker (test/projects.ts). */
export const HUB = { ...env, ALERT_URL }

type Received = { headers: Record<string, string>; body: string }

let start = Date.UTC(2031, 0, 1, 10)

/** Gives each test an empty hub, a PSP, a clock, and a receiver that records its messages in `told`. */
export function alertWorld() {
  const now = {
    told: [] as Received[],
    answer: () => new Response('ok'),
    psp: undefined as unknown as ReturnType<typeof pspWorld>,
    start,
  }
  beforeEach(async () => {
    watchLogs()
    start += 10 * 24 * HOUR
    vi.setSystemTime(start)
    for (const table of ['alerts', 'account_checks', 'pos_terminals', 'terminals', 'psp_accounts', 'jobs'])
      await env.DB.prepare(`delete from ${table}`).run()
    Object.assign(now, { told: [], answer: () => new Response('ok'), psp: pspWorld('mollie'), start })
    const world = vi.mocked(globalThis.fetch)
    const atPsp = world.getMockImplementation()
    world.mockImplementation(async (input, init) => {
      const request = new Request(input, init)
      if (request.url !== ALERT_URL) return atPsp?.(request) ?? Response.error()
      now.told.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
      return now.answer()
    })
  })
  return now
}

/** Runs the schedule as the platform does. */
export async function runAt(hub: object): Promise<void> {
  const controller = createScheduledController({ cron: CRON, scheduledTime: new Date() })
  await worker.scheduled?.(controller as never, hub as never)
}

/** Runs the schedule, and returns the messages that it queued. */
export async function run(changes: object = {}): Promise<unknown[]> {
  const sent: unknown[] = []
  const ALERTS = { send: async (body: unknown) => void sent.push(body) }
  await runAt({ ...HUB, ALERTS, ...changes })
  return sent
}

export function later(time: number): void {
  void vi.setSystemTime(Date.now() + time)
}
export function typesOf(sent: unknown[]) {
  return sent.map((body) => (body as { type: string }).type)
}

/** A shop with three reports that have failed for six minutes. */
export async function failingShop(name = 'Shop 1') {
  const pos = await makePos()
  await operate('POST', `/pos/${pos.id}`, { name })
  const rows = Array.from({ length: 3 }, () =>
    row({ pos: pos.id, created: Date.now() * 1000, failingSince: Date.now() - 6 * MINUTE }),
  )
  await writeRows(env, rows)
  const mend = () =>
    writeRows(
      env,
      rows.map((owed) => Object.assign(owed, { failingSince: null, sequence: owed.sequence + 1 })),
    )
  return { pos, mend }
}
