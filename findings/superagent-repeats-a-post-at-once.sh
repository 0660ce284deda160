#!/usr/bin/env bash
# Guess: superagent's .retry(1), like got and axios-retry, leaves a POST alone, and waits as long as Retry-After says.
# What is so: it sends a POST that got 429 with Retry-After: 3 again at once. axios-retry and got do not repeat a
#   POST, and wait for a GET.
# Who is hurt: shops that create payments with it: two requests of one payment, and a PSP's limit that is never kept.
# Seen on 2026-11-28 with superagent@10.4.2, axios-retry@4.5.0, axios@1.21.1 and got@14.6.6.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts superagent@10.4.2 axios-retry@4.5.0 axios@1.21.1 got@14.6.6
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import superagent from 'superagent'
let times = []
const server = createServer((request, response) => {
  times.push(Date.now())
  request.resume().on('end', () => response.writeHead(429, { 'retry-after': '3' }).end())
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}/`
const patient = axios.create()
axiosRetry(patient, { retries: 1 })
async function pauses(call) {
  times = []
  await assert.rejects(call())
  return times.slice(1).map((time, index) => Math.round((time - times[index]) / 1000))
}
const seen = {
  'superagent POST': await pauses(async () => await superagent.post(url).send('{}').retry(1)),
  'axios-retry POST': await pauses(() => patient.post(url, '{}')),
  'axios-retry GET': await pauses(() => patient.get(url)),
  'got POST': await pauses(() => got.post(url, { body: '{}', retry: { limit: 1 } })),
  'got GET': await pauses(() => got(url, { retry: { limit: 1 } })),
}
console.log('seconds before the second request:', seen)
assert.ok(seen['superagent POST'].length === 1 && seen['superagent POST'][0] < 2)
assert.deepEqual([seen['axios-retry POST'], seen['got POST']], [[], []])
assert.ok(seen['axios-retry GET'][0] >= 2 && seen['got GET'][0] >= 2)
process.exit()
JS
node look.mjs
