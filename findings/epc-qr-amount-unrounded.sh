#!/usr/bin/env bash
# Guess: a library that makes the text of an EPC QR code, and checks the amount's limits, writes it with two decimals.
# What is so: sepa-payment-code writes the number as it is: 0.1 + 0.2 becomes EUR0.30000000000000004, and 3 × 1.15
#   becomes EUR3.4499999999999997. The EPC's guideline EPC069-12 allows two decimals. sepa-payment-qr-code rounds.
# Who is hurt: shops that print the code on invoices: for some totals only, the customer's bank app refuses it.
# Seen on 2026-11-28 with sepa-payment-code@1.0.3 and sepa-payment-qr-code@2.0.2.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts sepa-payment-code@1.0.3 sepa-payment-qr-code@2.0.2
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { PaymentCode } = require('sepa-payment-code')
const text = require('sepa-payment-qr-code')
const iban = 'NL91ABNA0417164300'
const line = (code) => code.split('\n')[7]
const amounts = [0.1 + 0.2, 3 * 1.15]
const seen = {
  'sepa-payment-code': amounts.map((amount) => line(new PaymentCode('Shop', iban, amount, '', 'Order 1').getPayload())),
  'sepa-payment-qr-code': amounts.map((amount) => line(text({ name: 'Shop', iban, amount }))),
}
console.log(seen)
assert.deepEqual(Object.values(seen), [['EUR0.30000000000000004', 'EUR3.4499999999999997'], ['EUR0.30', 'EUR3.45']])
JS
node look.cjs
