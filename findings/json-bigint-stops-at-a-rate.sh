#!/usr/bin/env bash
# Guess: json-bigint changes whole numbers too long for JavaScript, and leaves decimals as they are.
# What is so: whatever has more than 15 characters is "big": with useNativeBigInt, a rate of 0.12345678901234567 is an
#   error, and without it a BigNumber, whereas 0.123 is a number. JSON.parse and lossless-json read both.
# Who is hurt: shops that use it for long ids: an answer with an exchange rate or a share in full precision cannot be
#   read, now and then, since the same rate is sometimes shorter.
# Seen on 2026-11-28 with json-bigint@1.0.0 and lossless-json@4.3.3.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts json-bigint@1.0.0 lossless-json@4.3.3
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const jsonBigint = require('json-bigint')
const lossless = require('lossless-json')
const native = jsonBigint({ useNativeBigInt: true })
const long = '{"id":12345678901234567890,"rate":0.12345678901234567}'
const short = '{"id":12345678901234567890,"rate":0.123}'
let error
try {
  native.parse(long)
} catch ({ message }) {
  error = message
}
const types = [jsonBigint.parse(short), jsonBigint.parse(long)].map(({ rate }) => typeof rate)
const ofLossless = lossless.stringify(lossless.parse(long))
console.log({ error, 'useNativeBigInt, short rate': native.parse(short), types, ofLossless })
assert.match(error, /0\.12345678901234567/)
assert.deepEqual(native.parse(short).id, 12345678901234567890n)
assert.deepEqual(types, ['number', 'object'])
assert.equal(ofLossless, long)
JS
node look.cjs
