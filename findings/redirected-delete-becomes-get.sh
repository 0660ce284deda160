#!/usr/bin/env bash
# Guess: a DELETE that is answered with 301 is sent as a DELETE to the new address, or refused; only POST may turn
#   into GET.
# What is so: superagent and PHP's http streams send a GET, get a 200 with the payment, and report success. fetch and
#   axios send a DELETE.
# Who is hurt: shops that cancel payments with DELETE through a proxy that redirects to https or another host: the
#   program believes in the cancellation, and the customer pays.
# Seen on 2026-11-28 with superagent@10.4.2, axios@1.21.1, Node's fetch and Debian 12's PHP 8.2.36.
set -euo pipefail
if ! command -v php > /dev/null; then
  [ "$(id -u)" = 0 ] || { echo 'install php'; exit 1; }
  apt-get update -qq && apt-get install -y -qq php-cli > /dev/null
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts superagent@10.4.2 axios@1.21.1
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import axios from 'axios'
import superagent from 'superagent'
const server = createServer((request, response) => {
  if (request.url === '/old') response.writeHead(301, { location: '/new' }).end()
  else response.end(`${request.method} ${request.url}`)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}/old`
const php = 'echo file_get_contents($argv[1], false, stream_context_create(["http" => ["method" => "DELETE"]]));'
const seen = {
  superagent: (await superagent.delete(url).buffer(true).parse(superagent.parse.text)).text,
  php: (await promisify(execFile)('php', ['-r', php, url])).stdout,
  axios: (await axios.delete(url)).data,
  fetch: await (await fetch(url, { method: 'DELETE' })).text(),
}
server.close()
console.log(seen)
assert.deepEqual(seen, { superagent: 'GET /new', php: 'GET /new', axios: 'DELETE /new', fetch: 'DELETE /new' })
process.exit()
JS
php -v | head -1
node look.mjs
