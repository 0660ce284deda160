#!/usr/bin/env bash
# Guess: a call of the Mollie client gives a promise, and every error rejects it.
# What is so: for an id of the wrong form, such as an order's id where a payment's belongs, it throws at once, before
#   there is a promise: .catch(…) and Promise.allSettled of a list of calls never see the error.
# Who is hurt: shops that ask for many payments together: one bad id in their database ends the whole loop.
# Seen on 2026-11-28 with @mollie/api-client@4.6.0.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts @mollie/api-client@4.6.0
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { createMollieClient } = require('@mollie/api-client')
const mollie = createMollieClient({ apiKey: 'test_abcdefghijklmnopqrstuvwxyz12' })
let rejected = 0
let thrown
try {
  mollie.payments.get('ord_1').catch(() => rejected++)
} catch (error) {
  thrown = error.message
}
console.log('@mollie/api-client', require('@mollie/api-client/package.json').version, { thrown, rejected })
assert.match(thrown, /ord_1/)
assert.equal(rejected, 0)
JS
node look.cjs
