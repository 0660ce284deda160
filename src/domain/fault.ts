import * as v from 'valibot'

/**
 * What a log may say of a caught error. Some messages quote the data they are about, which may be a secret or a
 * customer's: those of Valibot, of JSON.parse, and of Drizzle, whose errors wrap the one that tells enough.
 */
export const describeFault = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error
  if (v.isValiError(error))
    return `not of its form: ${error.issues.map((issue) => v.getDotPath(issue)).join(', ')}`
  if (error instanceof SyntaxError) return 'SyntaxError: not readable as JSON'
  return error.cause === undefined ? (error.stack ?? error.message) : describeFault(error.cause)
}

/** Parses what an object has stored. Its error says where the value is wrong and not what it is: it leaves the object. */
export const parseStored = <Schema extends v.GenericSchema>(
  schema: Schema,
  stored: unknown,
): v.InferOutput<Schema> => {
  const parsed = v.safeParse(schema, stored)
  if (parsed.success) return parsed.output
  throw new Error(`what is stored is ${describeFault(new v.ValiError(parsed.issues))}`)
}
