import { expect, it } from 'vitest'
import { AlertKind } from '../../src/contract/hub-health.ts'
import { NewOrder } from '../../src/contract/order.ts'
import { read } from './documents.ts'

const FIELDS = new Set(NewOrder.options.flatMap(({ entries }) => Object.keys(entries)))

it.each([...FIELDS])('the documents for shops name the field %s of an order', (field) => {
  expect(read('docs/pos')).toContain(`\`${field}\``)
})

it.each(AlertKind.options)('the documents for operators name the alert %s', (kind) => {
  expect(read('docs/operating/monitoring.md')).toContain(`\`${kind}\``)
})
