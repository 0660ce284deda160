#!/usr/bin/env bash
# Guess: when money is split by ratio, a share with the ratio 0 gets nothing, in every library.
# What is so: ts-money hands the cents that are left over to the first shares, whatever their ratio. dinero.js does
#   not.
# Who is hurt: marketplaces and split payments: a seller who has no part in an order is paid a cent, another gets one
#   less.
# Seen on 2026-11-28 with ts-money@0.4.8 and dinero.js@2.0.2.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts ts-money@0.4.8 dinero.js@2.0.2
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { Money } = require('ts-money')
const { allocate, dinero, toSnapshot } = require('dinero.js')
const { EUR } = require('dinero.js/currencies')
const seen = {
  'ts-money: 5 cents as 0:1:1': new Money(5, 'EUR').allocate([0, 1, 1]).map((share) => share.amount),
  'dinero.js: 5 cents as 0:1:1': allocate(dinero({ amount: 5, currency: EUR }), [0, 1, 1]).map(
    (share) => toSnapshot(share).amount,
  ),
}
console.log(seen)
assert.deepEqual(Object.values(seen), [[1, 2, 2], [0, 3, 2]])
JS
node look.cjs
