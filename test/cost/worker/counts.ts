/** What the platform bills for this Worker. */
export type Operation =
  | 'worker requests'
  | 'object requests'
  | 'object milliseconds'
  | 'object rows read'
  | 'object rows written'
  | 'alarm runs'
  | 'alarm sets'
  | 'kv reads'
  | 'kv writes'
  | 'kv deletes'
  | 'kv lists'
  | 'd1 rows read'
  | 'd1 rows written'
  | 'queue operations'
  | 'log events'
  | 'trace spans'

export type Counts = Partial<Record<Operation, number>>

export function totalOf(parts: readonly { counts: Counts }[]): Counts {
  const total: Counts = {}
  for (const { counts: part } of parts) {
    for (const [operation, times] of Object.entries(part) as [Operation, number][]) {
      total[operation] = (total[operation] ?? 0) + times
    }
  }
  return total
}

let counts: Counts = {}
let notes: string[] = []

/** Counts an operation, and notes its purpose. */
export function count(operation: Operation, note: string, times = 1): void {
  counts[operation] = (counts[operation] ?? 0) + times
  if (operation !== 'object milliseconds') notes.push(`${operation}: ${times} ${note}`)
}

/** The messages in queues, and the work of objects after their answers. */
let pending = 0
export function begins(pieces = 1): void {
  pending += pieces
}
export function ends(pieces = 1): void {
  pending -= pieces
}

/** Returns the counts so far; null while a queue or an object is at work. */
export function standing(): string | null {
  return pending === 0 ? JSON.stringify(counts) : null
}

/** Returns the counts since the last time. */
export function takeCounts(): { counts: Counts; notes: string[] } {
  const taken = { counts, notes }
  counts = {}
  notes = []
  return taken
}
