import * as v from 'valibot'
import { ADAPTERS } from '../psp/adapters.ts'
import type { Adapter } from '../psp/port.ts'
import type { CredentialField } from '../contract/accounts.ts'
import type { OperatorHandler } from './handler.ts'
import { reply } from '../platform/http/operations.ts'

/** `GET /operator/v1/psps`: the PSPs that accounts can be at, and what the credentials of each consist of. */
export const listPsps: OperatorHandler<'listPsps'> = async () =>
  reply({
    psps: Object.entries(ADAPTERS).map(([psp, adapter]) => ({ psp, credentials: fieldsOf(adapter) })),
  })

function fieldsOf({ credentials }: Adapter): CredentialField[] {
  return Object.entries(credentials.entries).map(([name, schema]) => ({
    name,
    description: descriptionOf(schema),
    optional: schema.type === 'optional' || schema.type === 'exact_optional',
  }))
}

/** An optional member wraps the schema that is described. */
function descriptionOf(schema: v.GenericSchema): string {
  const inner = 'wrapped' in schema && isSchema(schema.wrapped) ? schema.wrapped : schema
  return v.getDescription(inner) ?? v.getDescription(schema) ?? ''
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}
