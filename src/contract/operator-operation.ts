import type * as v from 'valibot'

/* What the operations of the operator API have in common. Times in its answers are ISO 8601 in UTC; amounts are decimal texts. */

const OPERATOR = {
  tag: 'Operator',
  credentials: ['operatorToken', 'cloudflareAccess', 'consoleSession'],
} as const

/** A look at something, which anybody with a role may have. */
export const LOOK = { ...OPERATOR, method: 'GET', role: 'viewer' } as const

/** A change. The row says who may make it, and what the audit log calls it. */
export const CHANGE = { ...OPERATOR, method: 'POST' } as const

export function done<Schema extends v.GenericSchema>(schema: Schema) {
  return { status: 200, description: 'Done.', schema } as const
}

export function made<Schema extends v.GenericSchema>(schema: Schema) {
  return { status: 201, description: 'It is there.', schema } as const
}
