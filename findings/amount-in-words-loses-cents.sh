#!/usr/bin/env bash
# Guess: a library that writes an amount in words names the cents, or refuses a number that has some.
# What is so: of 1.99, number-to-words makes "one", and written-number "two"; in Spanish, written-number makes 20 of
#   19.50.
# Who is hurt: shops that print invoices, receipts or cheques where the words count, as in Mexico or Poland: they name
#   another sum.
# Seen on 2026-11-28 with number-to-words@1.2.4 and written-number@0.11.1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts number-to-words@1.2.4 written-number@0.11.1
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { toWords } = require('number-to-words')
const written = require('written-number')
const seen = [toWords(1.99), written(1.99), written(19.5, { lang: 'es' })]
console.log('number-to-words of 1.99; written-number of 1.99, of 19.50 in Spanish:', seen)
assert.deepEqual(seen, ['one', 'two', 'veinte'])
JS
node look.cjs
