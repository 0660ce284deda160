#!/usr/bin/env bash
# Guess: a package that names each country's currency knows in November that Bulgaria has had the euro since January.
# What is so: the newest world-countries says BGN, as does country-data, which has the kuna for Croatia too;
#   currency-codes gives BGN for Bulgaria. countries-list says EUR.
# Who is hurt: shops that take the currency from the customer's country: prices in a currency that no PSP settles any
#   more.
# Seen on 2026-11-28 with world-countries@5.1.0, country-data@0.0.31, currency-codes@2.2.0 and countries-list@3.4.1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts \
  world-countries@5.1.0 country-data@0.0.31 currency-codes@2.2.0 countries-list@3.4.1
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { countries } = require('countries-list')
const data = require('country-data')
const codes = require('currency-codes')
const world = require('world-countries')
const seen = {
  'world-countries': ['BG', 'HR'].flatMap((code) => Object.keys(world.find(({ cca2 }) => cca2 === code).currencies)),
  'country-data': ['BG', 'HR'].flatMap((code) => data.countries[code].currencies),
  'currency-codes': ['bulgaria', 'croatia'].flatMap((name) => codes.country(name).map(({ code }) => code)),
  'countries-list': ['BG', 'HR'].flatMap((code) => countries[code].currency),
}
console.log('Bulgaria, Croatia:', seen)
assert.deepEqual(Object.values(seen), [['BGN', 'EUR'], ['BGN', 'HRK'], ['BGN', 'EUR'], ['EUR', 'EUR']])
JS
node look.cjs
