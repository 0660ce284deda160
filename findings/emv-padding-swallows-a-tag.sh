#!/usr/bin/env bash
# Guess: a parser of EMV data skips 00 bytes between two objects, which EMV Book 3, annex B, allows.
# What is so: node-tlv takes 00 for a tag of length 5F and swallows what follows: the currency (5F2A) after a padded
#   amount (9F02) is not found, and there is no error. ber-tlv skips the padding.
# Who is hurt: who reads card data of terminals: amount, currency or application id is missing with some cards and
#   kernels only.
# Seen on 2026-11-28 with node-tlv@1.5.14 and ber-tlv@0.9.2.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts node-tlv@1.5.14 ber-tlv@0.9.2
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { TlvFactory } = require('ber-tlv')
const TLV = require('node-tlv')
const data = '9F0206000000001050' + '00' + '5F2A020978'
const seen = {
  'node-tlv': TLV.parseList(data).map(({ tag, value }) => `${tag}=${value}`),
  'ber-tlv': TlvFactory.parse(Buffer.from(data, 'hex')).map(({ tag, value }) => `${tag}=${value.toString('hex')}`),
}
console.log(seen)
assert.deepEqual(seen['node-tlv'], ['9F02=000000001050', '00=2A020978'])
assert.deepEqual(seen['ber-tlv'], ['9F02=000000001050', '5F2A=0978'])
JS
node look.cjs
