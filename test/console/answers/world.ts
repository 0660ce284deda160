import { isRecord } from '../../../src/platform/stored.ts'
import { sampleAnswer } from '../../cli/sample-answers.ts'

/** What a shop, a customer or a PSP may write to make a page show something else than it is. */
export const HOSTILE = `<img src=x onerror=alert(1)>"'\u202etxt.exe`
export const BAKERY = 'Bäckerei Müller & Söhne'

export const POS = { de: 'd1'.repeat(16), nl: 'a2'.repeat(16), test: 'c3'.repeat(16) }
export const JOB = '0193f3c2-7a51-8c5e-9b1d-2f6a8e4d7c10'

/** The hub that the double answers for: when it is asked, by whom, and what is to be done. */
export type World = { now: number; role: 'viewer' | 'support' | 'operator'; todo: string }

export type Answers = Readonly<Record<string, unknown>>

/** A time so long before now; negative for one to come. */
export function agoOf(now: number) {
  return (minutes: number): string => new Date(now - minutes * 60_000).toISOString()
}

/** What an amount of euros is, for each currency that a total has one of. */
export function euros(amount: string) {
  return [{ currency: 'EUR', amount }]
}

const samples = new Map<string, unknown>()

/** The answer to `METHOD /path`: a sample of its contract, in which `changes` are as a page needs them. */
export function answerTo(request: string, changes: object): unknown {
  const [method = '', path = ''] = request.split(/[ ?]/)
  const key = `${method} ${path}`
  if (!samples.has(key)) samples.set(key, sampleAnswer(method, `/operator/v1${path}`))
  return changed(samples.get(key), changes)
}

/** Each answer of a table of changes, by its request. */
export function answersTo(changes: Readonly<Record<string, object>>): Answers {
  return Object.fromEntries(Object.entries(changes).map(([request, of]) => [request, answerTo(request, of)]))
}

/** A sample with changes. Each item of a changed list is the sample's first one with changes. */
function changed(sample: unknown, changes: unknown): unknown {
  if (Array.isArray(changes))
    return changes.map((one) => changed(Array.isArray(sample) ? sample[0] : undefined, one))
  if (!isRecord(sample) || !isRecord(changes)) return changes
  const members = Object.entries(changes).map(([name, value]) => [name, changed(sample[name], value)])
  return { ...sample, ...Object.fromEntries(members) }
}
