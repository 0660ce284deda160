/** A text by which a shop, a customer or a PSP may try to falsify a page. */
export const HOSTILE = `<img src=x onerror=alert(1)>"'\u202etxt.exe`

export const POS = { de: 'd1'.repeat(16), nl: 'a2'.repeat(16), test: 'c3'.repeat(16) }
export const JOB = '0193f3c2-7a51-8c5e-9b1d-2f6a8e4d7c10'

/** The hub that the double answers for: the time, the visitor, and what is to be done. */
export type World = { now: number; role: 'viewer' | 'support' | 'operator'; todo: string }

export type Answers = Readonly<Record<string, unknown>>

/** A time that is so long ago; negative for a time to come. */
export function agoOf(now: number) {
  return (minutes: number): string => new Date(now - minutes * 60_000).toISOString()
}
