#!/usr/bin/env bash
# Guess: a price in a Stripe event has the same types as the price that the API returned.
# What is so: the client makes a Decimal of unit_amount_decimal in an answer of the API, without trailing zeros (10.00
#   is 10), and webhooks.constructEvent leaves the text "10.00". Methods of one fail on the other, and === never
#   holds.
# Who is hurt: shops that compare or store prices, tax and exchange rates by both ways: works in a test by API, fails
#   in events.
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
const price = { id: 'price_1', object: 'price', unit_amount_decimal: '10.00' }
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(price))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http', telemetry: false })
const ofApi = (await stripe.prices.retrieve('price_1')).unit_amount_decimal
const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'price.created', data: { object: price } })
const header = stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_1' })
const ofEvent = stripe.webhooks.constructEvent(payload, header, 'whsec_1').data.object.unit_amount_decimal
server.close()
console.log('stripe', Stripe.PACKAGE_VERSION, 'API:', typeof ofApi, String(ofApi), 'event:', typeof ofEvent, ofEvent)
assert.deepEqual([typeof ofApi, String(ofApi), JSON.stringify(ofApi)], ['object', '10', '"10"'])
assert.equal(ofEvent, '10.00')
process.exit()
JS
node look.mjs
