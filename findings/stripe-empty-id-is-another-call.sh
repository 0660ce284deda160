#!/usr/bin/env bash
# Guess: the Stripe client refuses a missing id before it sends anything.
# What is so: retrieve('') asks for the address of the list, update('', …) posts to the address that creates, and
#   cancel(undefined) posts to /payment_intents/undefined/cancel. Nothing is thrown by the client.
# Who is hurt: shops whose order has no payment yet: they get what those addresses answer, a list instead of a
#   payment, or a second payment instead of a change of the first.
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
  seen.push(`${request.method} ${request.url}`)
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http', telemetry: false })
await stripe.paymentIntents.retrieve('')
await stripe.paymentIntents.update('', { amount: 1000, currency: 'eur' })
await stripe.paymentIntents.cancel(undefined)
server.close()
console.log('stripe', Stripe.PACKAGE_VERSION, seen)
const list = '/v1/payment_intents/'
assert.deepEqual(seen, [`GET ${list}`, `POST ${list}`, `POST ${list}undefined/cancel`])
process.exit()
JS
node look.mjs
