#!/usr/bin/env bash
# Guess: NODE_EXTRA_CA_CERTS adds a certificate authority for all that Node connects to.
# What is so: the Mollie client brings its own list of authorities, and knows no other: fetch connects, the client
#   does not.
# Who is hurt: shops behind a company proxy with an authority of its own, and tests against a stand-in for Mollie with
#   TLS.
# Seen on 2026-11-28 with @mollie/api-client@4.6.0.
set -euo pipefail
if ! command -v openssl > /dev/null; then
  [ "$(id -u)" = 0 ] || { echo 'install openssl'; exit 1; }
  apt-get update -qq && apt-get install -y -qq openssl > /dev/null
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts @mollie/api-client@4.6.0
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1 -subj /CN=localhost \
  -addext subjectAltName=IP:127.0.0.1 2> /dev/null
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { createMollieClient } from '@mollie/api-client'
const identity = { key: readFileSync('key.pem'), cert: readFileSync('cert.pem') }
const server = createServer(identity, (_, response) => response.end('{}'))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `https://127.0.0.1:${server.address().port}/`
const status = (await fetch(url)).status
const mollie = createMollieClient({ apiKey: 'test_abcdefghijklmnopqrstuvwxyz12', apiEndpoint: `${url}v2/` })
const error = await mollie.payments.get('tr_12345678').then(() => 'answered', ({ message }) => message)
console.log('fetch', status, '@mollie/api-client', error.replace(/:\d+/, ''))
assert.equal(status, 200)
assert.match(error, /self-signed certificate/)
process.exit()
JS
NODE_EXTRA_CA_CERTS=cert.pem node look.mjs
