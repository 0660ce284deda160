import { isRecord } from '../../../src/platform/stored.ts'
import { sampleAnswer } from '../../cli/sample-answers.ts'

/** A text with which a shop, a customer or a PSP could try to falsify a page. */
export const HOSTILE = `<img src=x onerror=alert(1)>"'\u202etxt.exe`
export const BAKERY = 'Bäckerei Müller & Söhne'

export const POS = { de: 'd1'.repeat(16), nl: 'a2'.repeat(16), test: 'c3'.repeat(16) }
export const JOB = '0193f3c2-7a51-8c5e-9b1d-2f6a8e4d7c10'

/** The hub behind the double: the time, the caller's role, and what the operator should do. */
export type World = { now: number; role: 'viewer' | 'support' | 'operator'; todo: string }

export type Answers = Readonly<Record<string, unknown>>

/** Times before `now`, by how long ago they are; a negative value is in the future. */
export function agoOf(now: number) {
  return (minutes: number): string => new Date(now - minutes * 60_000).toISOString()
}

/** An amount in euros, in the form of a total per currency. */
export function euros(amount: string) {
  return [{ currency: 'EUR', amount }]
}

const samples = new Map<string, unknown>()

/** The answer to `METHOD /path`: a sample of its contract, with the `changes` that a page needs. */
export function answerTo(request: string, changes: object): unknown {
  const [method = '', path = ''] = request.split(/[ ?]/)
  const key = `${method} ${path}`
  if (!samples.has(key)) samples.set(key, sampleAnswer(method, `/operator/v1${path}`))
  return changed(samples.get(key), changes)
}

/** The answers for a table of changes, by request. */
export function answersTo(changes: Readonly<Record<string, object>>): Answers {
  return Object.fromEntries(Object.entries(changes).map(([request, of]) => [request, answerTo(request, of)]))
}

/** Changes a sample. Each item of a changed list is the first sample item with its changes. */
function changed(sample: unknown, changes: unknown): unknown {
  if (Array.isArray(changes))
    return changes.map((one) => changed(Array.isArray(sample) ? sample[0] : undefined, one))
  if (!isRecord(sample) || !isRecord(changes)) return changes
  const members = Object.entries(changes).map(([name, value]) => [name, changed(sample[name], value)])
  return { ...sample, ...Object.fromEntries(members) }
}
