import * as v from 'valibot'
import { type CredentialField, NewCredentials } from '../contract/accounts.ts'
import { type Result, ok } from '../contract/result.ts'
import { readConfig } from '../platform/config.ts'
import type { JsonObject } from '../platform/http/body.ts'
import { invalid, invalidField, type Refusal } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { refusedUrl } from '../platform/http/public-url.ts'
import { ADAPTERS } from '../psp/adapters.ts'
import { type Contents, open } from '../psp/connect.ts'
import type { Adapter } from '../psp/port.ts'
import type { Account } from '../registry/profile.ts'
import type { OperatorHandler } from './handler.ts'

/**
 * `GET /operator/v1/psps`: the PSPs that accounts can be at, and what the credentials of each
 * consist of.
 */
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

/**
 * Reads what an account is to seal, and tries it on: what the PSP's adapter cannot open is refused
 * now, and not at the first payment. No error quotes a credential.
 */
export function readContents(
  env: Env,
  account: Pick<Account, 'psp' | 'mode'>,
  body: JsonObject,
): Result<Contents, Refusal> {
  const given = v.safeParse(NewCredentials, body)
  if (!given.success) return invalid(given.issues)
  const { endpoint } = given.output
  if (endpoint !== undefined) {
    const error = refusedEndpoint(env, endpoint)
    if (error !== null) return invalidField('endpoint', error)
  }
  const adapter = ADAPTERS[account.psp]
  if (!adapter) throw new Error(`unknown PSP ${account.psp}`)
  const credentials = v.safeParse(v.object({ credentials: adapter.credentials }), given.output)
  if (!credentials.success) return invalid(credentials.issues)
  const contents: Contents = {
    credentials: credentials.output.credentials,
    ...(endpoint === undefined ? {} : { endpoint }),
  }
  const mode = adapter.modeOf(contents.credentials)
  if (mode !== null && mode !== account.mode) {
    return invalidField('credentials', `are of ${mode} mode, the account is of ${account.mode} mode`)
  }
  try {
    open(env, account, contents)
    return ok(contents)
  } catch (error) {
    return invalidField('credentials', error instanceof Error ? error.message : 'cannot be used')
  }
}

/** Another address than the PSP's own is for trying things out on one machine. */
function refusedEndpoint(env: Env, endpoint: string): string | null {
  if (!readConfig(env).loopback) return 'is for the local run only'
  if (endpoint.endsWith('/')) return 'must not end with a slash'
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(endpoint)?.hostname ?? '')
  return loopback ? refusedUrl(endpoint, { own: [], loopback: true }) : 'must be an address of this machine'
}
