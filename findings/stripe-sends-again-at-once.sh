#!/usr/bin/env bash
# Guess: the Stripe client waits as long as Retry-After says, and with maxNetworkRetries 0 it sends each request once.
# What is so: it repeats within a second whatever Retry-After says; and with maxNetworkRetries 0 it sends a request
#   twice if the connection closes without an answer. (The key of both is the same.)
# Who is hurt: platforms near their rate limit: repeats come before the limit is over; and who counts or records each
#   request.
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
let seen = []
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    seen.push({ at: Date.now(), key: request.headers['idempotency-key'] })
    if (request.url.startsWith('/v1/refunds')) return request.socket.destroy()
    const head = { 'content-type': 'application/json', 'retry-after': '20', 'stripe-should-retry': 'true' }
    response.writeHead(429, head).end('{"error":{"type":"rate_limit_error","message":"slow down"}}')
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const client = (maxNetworkRetries) =>
  new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http', telemetry: false, maxNetworkRetries })
await assert.rejects(client(1).paymentIntents.create({ amount: 1, currency: 'eur' }))
const waited = seen[1].at - seen[0].at
console.log('stripe', Stripe.PACKAGE_VERSION, 'Retry-After: 20, sent again after', waited, 'ms')
assert.equal(seen.length, 2)
assert.ok(waited < 10_000)
seen = []
await assert.rejects(client(0).refunds.create({ payment_intent: 'pi_1' }))
const sameKey = seen[0].key === seen[1]?.key
console.log('maxNetworkRetries 0, connection closed: sent', seen.length, 'times, same key:', sameKey)
assert.equal(seen.length, 2)
server.close()
process.exit()
JS
node look.mjs
