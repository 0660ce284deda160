import * as v from 'valibot'

/**
 * Makes the body of an operation for operators. Refuses an unknown member: the operator meant
 * something by it that the hub would ignore.
 */
export function members<Entries extends v.ObjectEntries>(entries: Entries) {
  const known = thereAre(Object.keys(entries))
  return v.strictObject(entries, ({ expected }) =>
    expected === 'never' ? `is not a member here: ${known}` : 'is required',
  )
}

/** Lists the known names, for an error about an unknown one. */
export function thereAre(names: readonly string[]): string {
  if (names.length === 0) return 'there are none'
  return `there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`
}

/** Returns the schema that has a value's description: the schema itself, or the one inside an optional. */
export function describedSchema(schema: v.GenericSchema): v.GenericSchema {
  if (v.getDescription(schema) !== undefined || !('wrapped' in schema)) return schema
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Valibot only wraps schemas
  return describedSchema(schema.wrapped as v.GenericSchema)
}

/** Returns the members of an operation's body, each with its schema. */
export function membersOf({ body }: { body?: v.GenericSchema }): [member: string, schema: v.GenericSchema][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- bodies are objects
  return Object.entries((body as v.ObjectSchema<v.ObjectEntries, undefined> | undefined)?.entries ?? {})
}

/** Reads a list as a person types it: with commas between its values, or `none`. */
export function listIn(typed: string): string[] {
  return typed === 'none' ? [] : typed.split(',').map((one) => one.trim())
}
