#!/usr/bin/env bash
# Guess: dinero.js counts the minor units of each currency as ISO 4217 and the PSPs do, with a power of ten.
# What is so: its MRU and MGA have a base of 5 and no hundredths: an amount of 1050, which ISO 4217's two decimals
#   make 10.50 ouguiya, is 210 ouguiya there, and toDecimal refuses it.
# Who is hurt: shops in Mauritania and Madagascar, or with their tourists' cards: amounts from a PSP are shown
#   twentyfold.
# Seen on 2026-11-28 with dinero.js@2.0.2 and currency-codes@2.2.0.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts dinero.js@2.0.2 currency-codes@2.2.0
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const codes = require('currency-codes')
const { dinero, toDecimal, toUnits } = require('dinero.js')
const { MGA, MRU } = require('dinero.js/currencies')
const units = [MRU, MGA].map((currency) => toUnits(dinero({ amount: 1050, currency })))
const digits = ['MRU', 'MGA'].map((code) => codes.code(code).digits)
console.log('dinero.js: 1050 minor units of MRU, MGA', units, 'ISO 4217 decimals', digits)
assert.deepEqual(units, [[210, 0], [210, 0]])
assert.deepEqual(digits, [2, 2])
assert.throws(() => toDecimal(dinero({ amount: 1050, currency: MRU })))
JS
node look.cjs
