import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { NotificationReading } from '../../../src/psp/port.ts'
import { SAMPLES } from '../../psp/samples.ts'
import { headersAround, textsAround, valuesAround } from '../inputs.ts'
import { parser } from '../parser.ts'

const AT = Date.parse('2026-11-01T10:00:00Z')
const JOB = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
type Sent = { job: string | null; headers: Record<string, string>; body: string }

function read(psp: string, { job, headers, body }: Sent): Promise<NotificationReading> {
  const samples = SAMPLES[psp]
  if (samples === undefined) throw new Error(`${psp} has no samples`)
  const { adapter, credentials, notifications } = samples
  const opened = adapter.open({
    fetch: async () => {
      const { answer = {} } = notifications
      return typeof answer === 'string' ? new Response(answer) : Response.json(answer)
    },
    mode: 'test',
    credentials,
  })
  return opened.readNotification({ job, headers: new Headers(headers), body, at: AT })
}

/** What `receive` relies on, and the object stores. */
function expectSound(reading: NotificationReading): void {
  if (reading.is !== 'about') return expect(['unauthentic', 'unavailable']).toContain(reading.is)
  for (const { job, reference, told } of reading.payments) {
    expect(job).toEqual(expect.any(String))
    expect(reference === null || typeof reference === 'string').toBe(true)
    for (const move of told?.moves ?? []) {
      expect(Number.isSafeInteger(move.amount) && move.amount >= 0).toBe(true)
      expect(move.currency).toMatch(/^[A-Z]{3}$/)
    }
  }
}

const addressed = fc.constantFrom(null, JOB, 'x')

/** Texts or JSON similar to examples. */
function similarTo(examples: readonly (object | string)[]): fc.Arbitrary<unknown> {
  const texts = examples.filter((one) => typeof one === 'string')
  return texts.length > 0
    ? textsAround(...texts)
    : valuesAround(...(JSON.parse(JSON.stringify(examples)) as []))
}

const SIGNED = Object.entries(SAMPLES).filter(([, { notifications }]) => !notifications.isUnsigned)

export const NOTIFICATIONS = [
  ...Object.entries(SAMPLES).map(([psp, { notifications }]) =>
    parser(
      `${psp}-notification`,
      fc.record({ job: addressed, value: similarTo(notifications.examples) }),
      async ({ job, value }) => {
        const reading = await read(psp, { job, ...(await notifications.sent(value, AT)) })
        expectSound(reading)
        if (notifications.isAlwaysRead) expect(reading.is).toBe('about')
      },
    ),
  ),
  parser(
    'unsigned-notification',
    fc.record({
      psp: fc.constantFrom(...SIGNED.map(([psp]) => psp)),
      job: addressed,
      header: headersAround(`t=${AT / 1000},v1=${'0'.repeat(64)}`, btoa(`${AT / 1000}:${'0'.repeat(128)}`)),
      value: fc.oneof(...SIGNED.map(([, { notifications }]) => similarTo(notifications.examples))),
    }),
    async ({ psp, job, header, value }) => {
      const signed = await SAMPLES[psp]?.notifications.sent(value, AT)
      const headers = Object.fromEntries(Object.keys(signed?.headers ?? {}).map((name) => [name, header]))
      const item = { NotificationRequestItem: value }
      for (const body of [JSON.stringify(value), JSON.stringify({ notificationItems: [item] })])
        expect((await read(psp, { job, headers, body })).is).toBe('unauthentic')
    },
  ),
]
