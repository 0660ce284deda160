import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  DisputeStatus,
  IntentStatus,
  PaymentStatus,
  RefundStatus,
  SessionStatus,
} from '../../../src/psp/stripe/tables.ts'
import { MONEY_BACK_EVENTS } from '../../../src/psp/stripe/notification.ts'
import { PROJECT } from '../../../src/tools/wrangler.ts'

const RESOURCES = join(PROJECT, 'node_modules', 'stripe', 'esm', 'resources')
function typesOf(file: string): string {
  return readFileSync(join(RESOURCES, file), 'utf8')
}

/** The words of the first union of that name, in the types of Stripe's own client. */
function unionIn(file: string, name: string): string[] {
  const [, union = ''] = new RegExp(`type ${name} = ([^;]+);`).exec(typesOf(file)) ?? []
  return Array.from(union.matchAll(/'(\w+)'/g), ([, word = '']) => word).toSorted()
}

describe("the words of Stripe's own client", () => {
  it('for a payment intent are those of the table', () => {
    expect(unionIn('PaymentIntents.d.ts', 'Status')).toEqual(IntentStatus.options.toSorted())
  })

  it('for a session and its money are those of the table', () => {
    expect(unionIn('Checkout/Sessions.d.ts', 'Status')).toEqual(SessionStatus.options.toSorted())
    expect(unionIn('Checkout/Sessions.d.ts', 'PaymentStatus')).toEqual(PaymentStatus.options.toSorted())
  })

  it('for a dispute are those of the table', () => {
    expect(unionIn('Disputes.d.ts', 'Status')).toEqual(DisputeStatus.options.toSorted())
  })

  it('for a refund, which its types have in a comment alone, are those of the table', () => {
    const [, told = ''] = /Status of the refund\. This can be ([^.]+)\./.exec(typesOf('Refunds.d.ts')) ?? []
    const words = Array.from(told.matchAll(/`(\w+)`/g), ([, word = '']) => word)
    expect(words.toSorted()).toEqual(RefundStatus.options.toSorted())
  })

  it('for events have all that the hub reads', () => {
    const events = typesOf('Events.d.ts')
    expect([...MONEY_BACK_EVENTS].filter((type) => !events.includes(`'${type}'`))).toEqual([])
  })
})
