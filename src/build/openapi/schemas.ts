import { toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import * as accounts from '../../contract/accounts.ts'
import * as accountTerminals from '../../contract/account-terminals.ts'
import * as advance from '../../contract/advance.ts'
import * as audit from '../../contract/audit.ts'
import * as backup from '../../contract/backup.ts'
import * as instruction from '../../contract/instruction.ts'
import * as books from '../../contract/books.ts'
import * as reports from '../../contract/failing-reports.ts'
import * as health from '../../contract/hub-health.ts'
import * as index from '../../contract/job-index.ts'
import * as jobActions from '../../contract/job-actions.ts'
import * as jobDetail from '../../contract/job-detail.ts'
import * as jobExport from '../../contract/job-export.ts'
import * as jobSearch from '../../contract/job-search.ts'
import * as operators from '../../contract/operators.ts'
import * as order from '../../contract/order.ts'
import * as paymentJob from '../../contract/payment-job.ts'
import * as paymentMethods from '../../contract/payment-methods.ts'
import * as pointsOfSale from '../../contract/points-of-sale.ts'
import * as pos from '../../contract/pos-operations.ts'
import * as problems from '../../contract/problems.ts'
import * as terminals from '../../contract/terminals.ts'
import * as values from '../../contract/values.ts'
import * as why from '../../contract/why.ts'
import { isRecord } from '../../platform/stored.ts'
import type { Json, JsonSchema } from './openapi.ts'

const CONTRACT = {
  ...values,
  ...order,
  ...paymentJob,
  ...paymentMethods,
  ...terminals,
  ...instruction,
  ...advance,
  ...problems,
  ...pos,
  ...why,
  ...jobSearch,
  ...jobDetail,
  ...jobActions,
  ...jobExport,
  ...pointsOfSale,
  ...accounts,
  ...accountTerminals,
  ...operators,
  ...reports,
  ...health,
  ...index,
  ...audit,
  ...backup,
  ...books,
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}

/** The contract's schemas by name, without `Order`, which never leaves the hub. */
const NAMED = new Map<string, v.GenericSchema>(
  Object.entries(CONTRACT).flatMap(([name, value]): [string, v.GenericSchema][] =>
    /^[A-Z]/.test(name) && name !== 'Order' && isSchema(value) ? [[name, value]] : [],
  ),
)

/** Returns a schema's name in the document. Throws for one that the contract does not export. */
export function nameOf(schema: v.GenericSchema): string {
  for (const [name, named] of NAMED) if (named === schema) return name
  throw new Error('a schema of an operation has no name: export it from src/contract')
}

/** Validators disagree on the format `uuid`: some also take `urn:uuid:`. */
const UUID = { format: 'uuid', pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' }

/** Actions that JSON Schema cannot express: `v.metadata` next to them does, as exactly as it can. */
const SAID_BESIDE: ReadonlySet<string> = new Set([
  'check',
  'trim',
  'to_lower_case',
  'to_upper_case',
  'regex',
  'transform',
])

type Converted = {
  valibotAction: v.GenericPipeAction | v.GenericMetadata
  jsonSchema: object
  errors: unknown
}

function overrideAction({ valibotAction, jsonSchema, errors }: Converted): object | undefined {
  if (valibotAction.type === 'uuid') return { ...jsonSchema, ...UUID }
  if ('metadata' in valibotAction && isRecord(valibotAction.metadata)) {
    const { $ref, ...said } = valibotAction.metadata
    return isSchema($ref) ? { $ref: `#/components/schemas/${nameOf($ref)}` } : { ...jsonSchema, ...said }
  }
  return errors !== undefined && SAID_BESIDE.has(valibotAction.type) ? jsonSchema : undefined
}

/** Makes the schemas of the document. `others` have no name in it, such as queries. */
export function jsonSchemas(others: Readonly<Record<string, v.GenericSchema>>): Record<string, JsonSchema> {
  const made = toJsonSchemaDefs(
    { ...Object.fromEntries(NAMED), ...others },
    {
      target: 'draft-2020-12',
      typeMode: 'input',
      overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
      overrideSchema: ({ valibotSchema }) =>
        valibotSchema.type === 'custom' || valibotSchema.type === 'unknown' ? {} : undefined,
      overrideAction,
    },
  )
  return Object.fromEntries(Object.entries(made).map(([name, schema]) => [name, tidy(schema)]))
}

/**
 * Tidies a schema for people and generators: a text or null becomes one type, an empty `required`
 * goes, a single value becomes a list of one, which OpenAPI 3.0 knows too, and a list of values
 * that may grow allows others.
 */
function tidy(schema: unknown): Json {
  const { 'x-more-values-may-come': mayGrow, ...rest } = tidyMembers(schema)
  if (mayGrow === true && Array.isArray(rest['enum'])) {
    const { enum: choices, ...others } = rest
    return { ...others, examples: choices, 'x-extensible-enum': choices }
  }
  if (Array.isArray(rest['required']) && rest['required'].length === 0) delete rest['required']
  if ('const' in rest) {
    const { const: only, ...others } = rest
    return { type: typeof only, enum: [only], ...others }
  }
  const { anyOf, ...others } = rest
  const nullable = Array.isArray(anyOf) ? nullableOf(anyOf) : null
  return nullable ? { ...nullable, ...others } : rest
}

function tidyMembers(schema: unknown): Json {
  return isRecord(schema)
    ? Object.fromEntries(
        Object.entries(schema).map(([name, value]) => [name, name === 'examples' ? value : tidyValue(value)]),
      )
    : {}
}

function tidyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => (isRecord(one) ? tidy(one) : one))
  return isRecord(value) ? tidy(value) : value
}

function nullableOf(choices: readonly unknown[]): Json | null {
  const [one, none] = choices
  return choices.length === 2 &&
    isRecord(one) &&
    isRecord(none) &&
    none['type'] === 'null' &&
    typeof one['type'] === 'string'
    ? {
        ...one,
        type: [one['type'], 'null'],
        ...(Array.isArray(one['enum']) ? { enum: [...(one['enum'] as unknown[]), null] } : {}),
      }
    : null
}
