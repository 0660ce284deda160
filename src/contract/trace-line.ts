/**
 * The members of a step as the API shows it, in the order in which they are hashed. It never
 * changes; what is new goes behind.
 */
const MEMBERS = [
  'creationDate',
  'transactionId',
  'action',
  'status',
  'stage',
  'amountDue',
  'amountPaid',
  'amountRefunded',
  'amountChargedBack',
] as const

type ShownStep = Readonly<Partial<Record<(typeof MEMBERS)[number], string>>>

/**
 * A step of a job's trace as the line that is hashed: none of its members has a `|` in it. What is
 * missing is empty.
 */
export function traceLine(step: ShownStep): string {
  return MEMBERS.map((name) => step[name] ?? '').join('|')
}
