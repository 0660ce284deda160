#!/usr/bin/env bash
# Guess: ibantools, with a release of this year, knows which countries take part in SEPA.
# What is so: isSEPACountry is false for Albania, Montenegro, Moldova, North Macedonia and Serbia, which joined in
#   2024 and 2025. It is true for the Vatican and Andorra, so that the list is kept by hand.
# Who is hurt: customers and sellers with accounts there: a refund or payout by SEPA transfer is refused by the shop's
#   own form.
# Seen on 2026-11-28 with ibantools@4.5.4. Source: the European Payments Council's list of SEPA countries, EPC409-09.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts ibantools@4.5.4
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { isSEPACountry } = require('ibantools')
const joined = (codes) => Object.fromEntries(codes.split(' ').map((code) => [code, isSEPACountry(code)]))
const seen = joined('AL ME MD MK RS VA AD NL')
console.log(seen)
assert.deepEqual(seen, { AL: false, ME: false, MD: false, MK: false, RS: false, VA: true, AD: true, NL: true })
JS
node look.cjs
