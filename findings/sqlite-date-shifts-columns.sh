#!/usr/bin/env bash
# Guess: node:sqlite refuses a Date as a parameter, since SQLite has no type for it; the documentation names the types
#   it takes.
# What is so: it does in the second place and after. In the first it takes the Date for an object of named parameters,
#   finds none, and gives its place to the next value: of VALUES (?, ?) with a date and 1050, the time is 1050 and the
#   amount NULL.
# Who is hurt: shops that record a payment by run(new Date(), amount): no error, and the amounts stand in the column
#   of the time.
# Seen on 2026-11-28 with Node 24.21.0 (npm's node-linux-…).
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts "node24@npm:node-linux-$(node -p process.arch)@24.21.0"
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
const database = new DatabaseSync(':memory:')
database.exec('CREATE TABLE payments (at, amount)')
database.prepare('INSERT INTO payments (at, amount) VALUES (?, ?)').run(new Date(), 1050)
let error
try {
  database.prepare('INSERT INTO payments (amount, at) VALUES (?, ?)').run(1050, new Date())
} catch ({ code }) {
  error = code
}
const rows = database.prepare('SELECT * FROM payments').all().map((row) => ({ ...row }))
console.log(process.version, 'date first:', rows, 'date second:', error)
assert.deepEqual(rows, [{ at: 1050, amount: null }])
assert.equal(error, 'ERR_INVALID_ARG_TYPE')
JS
node_modules/node24/bin/node --disable-warning=ExperimentalWarning look.mjs
