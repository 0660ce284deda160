#!/usr/bin/env bash
# Guess: an option that the Stripe client does not know, or finds among the parameters, is an error or a warning.
# What is so: { idempotency_key }, as Python, PHP and Ruby spell it, is dropped without a word, and the client sends a
#   random key of its own. capture(id, { idempotencyKey }) sends the key as a parameter of the form, and a random key
#   in the header.
# Who is hurt: shops that repeat a refund after a time-out with the key that they believe to have sent: money goes
#   back twice.
# Seen on 2026-11-28 with stripe@23.1.0.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts stripe@23.1.0
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import Stripe from 'stripe'
const seen = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    seen.push([request.headers['idempotency-key'].replace(/^stripe-node-.*/, 'random'), body])
    response.setHeader('content-type', 'application/json').end('{}')
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http', telemetry: false })
await stripe.refunds.create({ payment_intent: 'pi_1' }, { idempotencyKey: 'mine' })
await stripe.refunds.create({ payment_intent: 'pi_1' }, { idempotency_key: 'mine' })
await stripe.paymentIntents.capture('pi_1', { idempotencyKey: 'mine' })
server.close()
console.log('stripe', Stripe.PACKAGE_VERSION, seen)
const refund = 'payment_intent=pi_1'
assert.deepEqual(seen, [['mine', refund], ['random', refund], ['random', 'idempotencyKey=mine']])
process.exit()
JS
node look.mjs
