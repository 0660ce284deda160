#!/usr/bin/env bash
# Guess: multipleOf 0.01 is how a schema says "at most two decimals".
# What is so: of the 10000 amounts 0.01 to 100.00, Ajv refuses 1363 (19.99 and 0.57 among them), Valibot 9986, Zod
#   none. With Ajv's option multipleOfPrecision it refuses none.
# Who is hurt: shops and PSPs whose JSON Schema has amounts with decimals: some prices cannot be paid, and which
#   depends on the validator: one document, two answers.
# Seen on 2026-11-28 with ajv@8.20.0, valibot@1.5.0 and zod@4.6.7.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts ajv@8.20.0 valibot@1.5.0 zod@4.6.7
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { Ajv } = require('ajv')
const v = require('valibot')
const { z } = require('zod')
const schema = { type: 'number', multipleOf: 0.01 }
const valibot = v.pipe(v.number(), v.multipleOf(0.01))
const zod = z.number().multipleOf(0.01)
const accepts = {
  ajv: new Ajv().compile(schema),
  'ajv with multipleOfPrecision': new Ajv({ multipleOfPrecision: 6 }).compile(schema),
  valibot: (amount) => v.is(valibot, amount),
  zod: (amount) => zod.safeParse(amount).success,
}
const amounts = Array.from({ length: 10_000 }, (_, index) => (index + 1) / 100)
const seen = Object.fromEntries(
  Object.entries(accepts).map(([name, accept]) => [name, amounts.filter((amount) => !accept(amount)).length]),
)
console.log('refused of 10000:', seen)
assert.deepEqual(seen, { ajv: 1363, 'ajv with multipleOfPrecision': 0, valibot: 9986, zod: 0 })
assert.deepEqual([accepts.ajv(19.99), accepts.ajv(0.57)], [false, false])
JS
node look.cjs
