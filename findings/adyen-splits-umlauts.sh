#!/usr/bin/env bash
# Guess: Adyen's library decodes an answer as UTF-8.
# What is so: it decodes each network packet by itself. A letter whose two bytes come in two packets turns into two
#   U+FFFD, and no error shows it: "Müller" arrives as "M��ller".
# Who is hurt: merchants with long answers (payment methods, stored details, reports): now and then a name or
#   reference is damaged, in a way that no test on one machine shows.
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
import { setTimeout as sleep } from 'node:timers/promises'
import adyen from '@adyen/api-library'
const answer = Buffer.from('{"name":"Müller"}')
const middle = answer.indexOf(0xc3) + 1
const server = createServer({ key: readFileSync('key.pem'), cert: readFileSync('cert.pem') }, async (_, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.write(answer.subarray(0, middle))
  await sleep(1500)
  response.end(answer.subarray(middle))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `https://127.0.0.1:${server.address().port}/`
const ofFetch = await (await fetch(url)).text()
const client = new adyen.HttpURLConnectionClient()
let ofAdyen
// On a busy machine both parts may arrive as one packet.
for (let tries = 0; tries < 5 && !ofAdyen?.includes('\uFFFD'); tries++) {
  ofAdyen = await client.request(url, '{}', new adyen.Config({ apiKey: 'key' }), true)
}
console.log('@adyen/api-library', ofAdyen, 'fetch', ofFetch)
assert.equal(ofFetch, '{"name":"Müller"}')
assert.equal(ofAdyen, '{"name":"M\uFFFD\uFFFDller"}')
process.exit()
JS
NODE_EXTRA_CA_CERTS=cert.pem node look.mjs
