#!/usr/bin/env bash
# Guess: Adyen's client gives up after some time, and says that it was a time-out.
# What is so: new Client({ apiKey, environment }) has no time-out at all; only new Client(new Config(…)) has the
#   documented one of 30 seconds. A time-out is reported as an ApiException "socket hang up" with the statusCode 500,
#   which Adyen never sent.
# Who is hurt: shops whose checkout hangs with a lost connection; and code that takes 500 for "Adyen refused": the
#   payment may be made all the same.
# Seen on 2026-11-28 with @adyen/api-library@32.1.0.
set -euo pipefail
if ! command -v openssl > /dev/null; then
  [ "$(id -u)" = 0 ] || { echo 'install openssl'; exit 1; }
  apt-get update -qq && apt-get install -y -qq openssl > /dev/null
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts @adyen/api-library@32.1.0
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1 -subj /CN=localhost \
  -addext subjectAltName=IP:127.0.0.1 2> /dev/null
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import adyen from '@adyen/api-library'
const settings = { apiKey: 'key', environment: adyen.EnvironmentEnum.TEST }
const plain = new adyen.Client({ ...settings }).config
const config = new adyen.Client(new adyen.Config(settings)).config
console.log('time-out in ms: plain object', plain.connectionTimeoutMillis, 'Config', config.connectionTimeoutMillis)
assert.deepEqual([plain.connectionTimeoutMillis, config.connectionTimeoutMillis], [undefined, 30_000])

const answersAfter = 4000
const server = createServer({ key: readFileSync('key.pem'), cert: readFileSync('cert.pem') }, (_, response) => {
  setTimeout(() => response.end('{}'), answersAfter)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `https://127.0.0.1:${server.address().port}/`
const request = (settings) => new adyen.HttpURLConnectionClient().request(url, '{}', settings, true)
const [late, error] = await Promise.all([
  request(plain),
  request(new adyen.Config({ ...settings, connectionTimeoutMillis: 1000 })).then(() => undefined, (reason) => reason),
])
console.log('plain object:', late, 'time-out of 1 s:', error.name, error.statusCode, error.message)
assert.equal(late, '{}')
assert.deepEqual([error.name, error.statusCode, error.message], ['ApiException', 500, 'socket hang up'])
process.exit()
JS
NODE_EXTRA_CA_CERTS=cert.pem node look.mjs
