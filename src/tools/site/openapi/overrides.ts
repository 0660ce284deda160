import { CURRENCIES } from '../../../contract/currency.ts'
import { PROBLEMS } from '../../../platform/http/problem-codes.ts'
import { NO_CONTROLS, sentAmountText } from '../../../pos-api/contract/new-payment-job.ts'
import type { Json } from './operation.ts'

/**
 * What `@valibot/to-json-schema` cannot convert: a `check` is code, and JSON Schema has no flags of patterns. Each is said by
 * hand below, as exactly as JSON Schema can say it; a property test compares these with the readers of the hub.
 */
const BY_HAND: ReadonlySet<string> = new Set(['check', 'trim', 'to_lower_case', 'regex'])

const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'

type Converted = { valibotAction: { type: string }; jsonSchema: object; errors: unknown }

export function overrideAction({ valibotAction, jsonSchema, errors }: Converted): object | undefined {
  // A format means different things to different validators: some take `urn:uuid:` too.
  if (valibotAction.type === 'uuid') return { ...jsonSchema, format: 'uuid', pattern: UUID }
  return errors !== undefined && BY_HAND.has(valibotAction.type) ? jsonSchema : undefined
}

const NAME: Json = { pattern: `^(?=.*\\S)${NO_CONTROLS.source.slice(1)}` }

/** What is added to members of schemas, by hand. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  Problem: { code: { 'x-extensible-enum': Object.keys(PROBLEMS) } },
  NewPaymentJob: { currency: { enum: CURRENCIES } },
  NewOperatorToken: { name: NAME },
  NewPointOfSale: { name: NAME },
  ChangedPointOfSale: { name: NAME },
  NewPaymentRoute: {
    paymentMethod: { pattern: '^(\\*|[^\\s\\u0000-\\u001f\\u007f-\\u009f*]{1,64})$' },
    accounts: { uniqueItems: true },
  },
  NewAccount: { mode: { type: 'string', enum: ['test', 'live'] } },
  OperatorNewRefund: {
    amount: { pattern: sentAmountText.source },
    description: { pattern: NO_CONTROLS.source },
  },
}

/** What is added to whole schemas, by hand. */
const WHOLE: Readonly<Record<string, Json>> = {
  ChangedPointOfSale: { anyOf: [{ required: ['name'] }, { required: ['signReturn'] }] },
}

/** A schema with what is said by hand of it. */
export function overridden(name: string, schema: Json): Json {
  return {
    ...schema,
    ...withMembers(schema, MEMBERS[name] ?? {}),
    ...WHOLE[name],
  }
}

function withMembers(schema: Json, members: Readonly<Record<string, Json>>): Json {
  const properties = schema['properties']
  if (typeof properties !== 'object' || properties === null) return {}
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, member]: [string, Json]) => [
        name,
        { ...member, ...members[name] },
      ]),
    ),
  }
}
