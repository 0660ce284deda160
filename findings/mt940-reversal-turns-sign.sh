#!/usr/bin/env bash
# Guess: a parser of MT940 bank statements knows RC and RD of field 61: a reversed credit is money out.
# What is so: mt940-js gives isCredit true for RC and false for RD, with no member that marks a reversal; and
#   isExpense is true for almost every line, credits too, since it only knows three codes of two Dutch banks.
#   lib-fints has the sign right.
# Who is hurt: who reconciles payouts or direct debits from such files: a direct debit charged back counts as paid
#   twice.
# Seen on 2026-11-28 with mt940-js@1.0.0 and lib-fints@1.5.0; the marks are those of SWIFT's field 61, subfield 3.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts mt940-js@1.0.0 tslib@2.8.1 lib-fints@1.5.0
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import mt940 from 'mt940-js'
import { Mt940Parser } from './node_modules/lib-fints/dist/mt940parser.js'
const lines = [':20:S1', ':25:NL91ABNA0417164300', ':28C:1/1', ':60F:C260101EUR100,00',
  ':61:2601020102C20,00NTRFA', ':61:2601020102RC20,00NTRFB', ':61:2601020102RD5,00NTRFC',
  ':62F:C260102EUR105,00', '-', '']
const statements = await mt940.read(Buffer.from(lines.join('\n')))
const credits = statements[0].transactions.map(({ isCredit, isExpense, amount }) => ({ isCredit, isExpense, amount }))
const signed = new Mt940Parser(lines.join('\r\n')).parse()[0].transactions.map(({ amount }) => amount)
console.log('mt940-js: C, RC, RD', credits)
console.log('lib-fints: C, RC, RD', signed)
assert.deepEqual(credits.map(({ isCredit }) => isCredit), [true, true, false])
assert.deepEqual(credits.map(({ isExpense }) => isExpense), [true, true, true])
assert.deepEqual(Object.keys(statements[0].transactions[1]).filter((name) => /revers/i.test(name)), [])
assert.deepEqual(signed, [20, -20, 5])
JS
node look.mjs
