#!/usr/bin/env bash
# Guess: verify(await request.text(), request.headers) checks a webhook in a Worker, or any server with fetch's
#   Request.
# What is so: the library reads the members of a plain object. An object of class Headers has none: every genuine
#   webhook is refused with "Missing required headers". Object.fromEntries(request.headers) works.
# Who is hurt: who receives Standard Webhooks in JavaScript without types: each is refused, and the sender gives up in
#   the end.
# Seen on 2026-11-28 with standardwebhooks@1.1.1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts standardwebhooks@1.1.1
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { Webhook } = require('standardwebhooks')
const webhook = new Webhook(`whsec_${Buffer.alloc(24, 'a').toString('base64')}`)
const now = new Date()
const body = '{"a":1}'
const headers = new Headers({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(now / 1000)),
  'webhook-signature': webhook.sign('msg_1', now, body),
})
let refusal
try {
  webhook.verify(body, headers)
} catch (error) {
  refusal = error.message
}
const accepted = webhook.verify(body, Object.fromEntries(headers))
console.log('standardwebhooks', require('standardwebhooks/package.json').version, { refusal, accepted })
assert.equal(refusal, 'Missing required headers')
assert.deepEqual(accepted, { a: 1 })
JS
node look.cjs
