#!/usr/bin/env bash
# Guess: a money library rounds a refund of 5 % as it rounds the payment, so that the two cancel out.
# What is so: currency.js and ts-money round halves towards +infinity, and dinero.js by default rounds down. 2.5 cents
#   are 3 cents in a payment and 2 in its refund; in dinero.js, 1.009 becomes 1.00 and -1.009 becomes -1.01.
# Who is hurt: a shop whose VAT, fee or commission is calculated again, negative, for a refund. A cent stays per
#   refund.
# Seen on 2026-11-28 with currency.js@2.0.4, ts-money@0.4.8 and dinero.js@2.0.2.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts currency.js@2.0.4 ts-money@0.4.8 dinero.js@2.0.2
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const currency = require('currency.js')
const { Money } = require('ts-money')
const { dinero, toSnapshot, transformScale } = require('dinero.js')
const { EUR } = require('dinero.js/currencies')
const twoDecimals = (amount) => toSnapshot(transformScale(dinero({ amount, currency: EUR, scale: 3 }), 2)).amount
const seen = {
  'currency.js: 5 % of 0.50, of -0.50': [currency(0.5).multiply(0.05).value, currency(-0.5).multiply(0.05).value],
  'currency.js: 1.005, -1.005': [currency(1.005).value, currency(-1.005).value],
  'ts-money: 1 % of 250 cents, of -250': [250, -250].map((cents) => new Money(cents, 'EUR').multiply(0.01).amount),
  'dinero.js: 1.009, -1.009 at two decimals, in cents': [twoDecimals(1009), twoDecimals(-1009)],
}
console.log(seen)
assert.deepEqual(Object.values(seen), [[0.03, -0.02], [1.01, -1], [3, -2], [100, -101]])
JS
node look.cjs
