#!/usr/bin/env bash
# Guess: npm install of a package's address (https://…/client.tgz) works, as it did for ten years.
# What is so: npm 12 refuses it with EALLOWREMOTE, unless --allow-remote=all or the same setting stands in .npmrc. npm
#   11 installs it.
# Who is hurt: shops that install a client from the server that publishes it: the documented line stops with the next
#   Node.
# Seen on 2026-11-28 with npm@12.2.2 and npm@11.6.2.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts eleven@npm:npm@11.6.2 twelve@npm:npm@12.2.2
mkdir made shop
echo '{"name":"made","version":"1.0.0"}' > made/package.json
(cd made && npm pack --silent > /dev/null)
echo '{}' > shop/package.json
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
const server = createServer((_, response) => response.end(readFileSync('made/made-1.0.0.tgz')))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}/made-1.0.0.tgz`
async function install(npm, ...options) {
  const cli = `node_modules/${npm}/bin/npm-cli.js`
  const program = spawn(process.execPath, [cli, 'install', '--prefix', 'shop', ...options, url])
  let errors = ''
  program.stderr.on('data', (chunk) => (errors += chunk))
  const code = await new Promise((resolve) => program.on('close', resolve))
  return code === 0 ? 'installed' : /code (E\w+)/.exec(errors)?.[1]
}
const seen = { 'npm 11': await install('eleven'), 'npm 12': await install('twelve') }
seen['npm 12 --allow-remote=all'] = await install('twelve', '--allow-remote=all')
server.close()
console.log(seen)
assert.deepEqual(Object.values(seen), ['installed', 'EALLOWREMOTE', 'installed'])
process.exit()
JS
node look.mjs
