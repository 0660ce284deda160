#!/usr/bin/env bash
# Guess: a member that Adyen's API has added since the library's version is there in its answer, only without a type.
# What is so: the library copies the members that its models know, in payments as in terminal answers; others are
#   gone. Only an HTTP client of one's own sees the raw text.
# Who is hurt: shops that Adyen tells of a new member (of a terminal's receipt, of a payment): in the log it seems
#   never sent.
# Seen on 2026-11-28 with @adyen/api-library@32.1.0.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts @adyen/api-library@32.1.0
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { Types } = require('@adyen/api-library')
const payment = Types.checkout.ObjectSerializer.deserialize({ pspReference: 'A', newMember: 1 }, 'PaymentResponse')
const answered = { AuthorizedAmount: 10.1, Currency: 'EUR', NewAmount: 1 }
const amounts = Types.terminal.ObjectSerializer.deserialize(answered, 'AmountsResp')
console.log('@adyen/api-library', require('@adyen/api-library/package.json').version, { payment, amounts })
assert.deepEqual(JSON.parse(JSON.stringify({ payment, amounts })), {
  payment: { pspReference: 'A' },
  amounts: { AuthorizedAmount: 10.1, Currency: 'EUR' },
})
JS
node look.cjs
