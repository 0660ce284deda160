import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { parseAmount } from '../../src/contract/money.ts'
import {
  ChangedPointOfSale,
  NewPaymentRoute,
  NewPointOfSale,
  NewSigningSecret,
} from '../../src/contract/points-of-sale.ts'
import { NewAccount, NewCredentials } from '../../src/contract/accounts.ts'
import { NewOperatorToken } from '../../src/contract/operators.ts'
import { operatorName } from '../../src/contract/values.ts'
import { OperatorNewRefund } from '../../src/contract/instruction.ts'
import { documentAccepts, OF_ALL_TEXTS, type Unsayable } from '../support/openapi/compare.ts'
import { around, near } from '../support/openapi/interesting.ts'

/* What the OpenAPI document accepts of an operator, the hub accepts, and what it refuses, the hub refuses. */

type Body = Record<string, unknown>

function isA(schema: v.GenericSchema) {
  return (body: Body): boolean => v.safeParse(schema, body).success
}

const NAME_WITH_SPACE_AROUND: Unsayable<Body> = {
  what: 'a name with white space around it',
  why: 'the hub takes it without that, and then counts its characters',
  isIn: ({ name }) => typeof name === 'string' && name !== name.trim(),
}

const ALIKE: Unsayable<Body> = {
  what: 'a name that could be taken for another',
  why: 'JSON Schema has no classes of letters that every language reads alike',
  isIn: ({ name }) =>
    typeof name === 'string' &&
    (name.includes('@') ||
      name.toUpperCase() === 'OPERATOR_TOKEN' ||
      /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(name) ||
      !v.is(operatorName, name) ||
      name !== name.normalize('NFKC')),
}

const SMALL_LETTERS: Unsayable<Body> = {
  what: 'capital letters that have another length as small ones',
  why: 'the hub counts the small ones',
  isIn: ({ paymentMethod }) =>
    typeof paymentMethod === 'string' && paymentMethod.toLowerCase().length !== paymentMethod.length,
}

const LISTS: Unsayable<Body> = {
  what: 'a list in place of the credentials',
  why: 'the hub reads it as credentials without members, and refuses it for those that the PSP needs',
  isIn: ({ credentials }) => Array.isArray(credentials),
}

const TOO_MANY_DECIMALS: Unsayable<Body> = {
  what: 'more decimals than the currency has',
  why: 'the currency is that of the job',
  isIn: ({ amount }) => /\.\d\d0*[1-9]/.test(String(amount)),
}

const NAMES = around(['Shop 1', ' Shop ', 'é', '\n'], 100)
const FLAGS = fc.oneof(fc.boolean(), around(['true']))
const MODES = around(['test', 'live', 'Test'])
const DIALECTS = around(['v1', 'v2', 'v3'])
const ACCOUNTS = fc.oneof(
  fc.array(fc.constantFrom('mollie-1', 'stripe-1', 'adyen-1', 'mollie-2', 'mollie-3'), { maxLength: 6 }),
  fc.array(fc.jsonValue(), { maxLength: 3 }),
  fc.constantFrom(null, {}, 'mollie-1'),
)
const CREDENTIALS = fc.oneof(
  fc.constantFrom<unknown[]>({}, { apiKey: 'k' }, [], null, 'k', 7),
  fc.jsonValue(),
)

function isRefund(body: Body): boolean {
  const read = v.safeParse(OperatorNewRefund, body)
  if (!read.success) return false
  const amount = read.output.amount === undefined ? null : parseAmount(read.output.amount, 'EUR')
  return amount === null || (amount.ok && amount.value > 0)
}

type Case = {
  schema: string
  bodies: fc.Arbitrary<Body>
  accepts: (body: Body) => boolean
  unsayable?: Unsayable<Body>[]
}

const CASES: readonly Case[] = [
  {
    schema: 'NewOperatorToken',
    bodies: near(
      { name: 'Night desk', role: 'viewer' },
      {
        name: around(['Night desk', 'OPERATOR_TOKEN', ' OPERATOR_TOKEN ', 'é', '\n'], 100),
        role: around(['viewer', 'support', 'operator', 'Viewer']),
        more: fc.jsonValue(),
      },
    ),
    accepts: isA(NewOperatorToken),
    unsayable: [NAME_WITH_SPACE_AROUND, ALIKE],
  },
  {
    schema: 'NewPointOfSale',
    bodies: near(
      { name: 'Shop 1', mode: 'test' },
      { name: NAMES, mode: MODES, signReturn: FLAGS, dialect: DIALECTS, more: fc.jsonValue() },
    ),
    accepts: isA(NewPointOfSale),
    unsayable: [NAME_WITH_SPACE_AROUND, ALIKE],
  },
  {
    schema: 'ChangedPointOfSale',
    bodies: near(
      { name: 'Shop 1' },
      { name: NAMES, signReturn: FLAGS, dialect: DIALECTS, more: fc.jsonValue() },
    ),
    accepts: isA(ChangedPointOfSale),
    unsayable: [NAME_WITH_SPACE_AROUND, ALIKE],
  },
  {
    schema: 'NewSigningSecret',
    bodies: near(
      { overlapHours: 24 },
      { overlapHours: around([0, 720, 720.1, 0.5, -1, '24']), again: FLAGS },
    ),
    accepts: isA(NewSigningSecret),
  },
  {
    schema: 'NewPaymentRoute',
    bodies: near(
      { paymentMethod: 'ideal', accounts: ['mollie-1'] },
      { paymentMethod: around(['ideal', '*', 'IDEAL', '**', 'İ'], 64), accounts: ACCOUNTS },
    ),
    accepts: isA(NewPaymentRoute),
    unsayable: [SMALL_LETTERS],
  },
  {
    schema: 'OperatorNewRefund',
    bodies: near(
      { id: '5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e', amount: '5.00' },
      {
        id: around(['5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e', 'urn:uuid:5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e']),
        amount: around(['5.00', '0', '0.00', '99999999999', '100000000000', 5]),
        description: around(['A shirt came back', ''], 140),
      },
    ),
    accepts: isRefund,
    unsayable: [TOO_MANY_DECIMALS],
  },
  {
    schema: 'NewAccount',
    bodies: near(
      { id: 'mollie-1', psp: 'mollie', mode: 'test', credentials: {} },
      {
        id: around(['mollie-1', 'sandbox', '-a', 'A'], 40),
        psp: around(['mollie']),
        mode: MODES,
        credentials: CREDENTIALS,
        endpoint: around(['http://localhost:1']),
      },
    ),
    accepts: isA(NewAccount),
    unsayable: [LISTS],
  },
  {
    schema: 'NewCredentials',
    bodies: near({ credentials: {} }, { credentials: CREDENTIALS, endpoint: around(['http://localhost:1']) }),
    accepts: isA(NewCredentials),
    unsayable: [LISTS],
  },
]

describe('the document and the hub agree', () => {
  it.each(CASES)('on $schema, whatever is sent', ({ schema, bodies, accepts, unsayable = [] }) => {
    const seen = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(bodies, (body) => {
        fc.pre(![...OF_ALL_TEXTS, ...unsayable].some(({ isIn }) => isIn(body)))
        const isAccepted = documentAccepts(schema, body)
        seen[isAccepted ? 'accepted' : 'refused']++
        expect(accepts(body)).toBe(isAccepted)
      }),
      { numRuns: 1000, maxSkipsPerRun: 100 },
    )
    // A property that only ever sees accepted or only refused bodies proves nothing.
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100)
  })
})
