#!/usr/bin/env bash
# Guess: a money parser reads an amount that the platform's own Intl.NumberFormat wrote, or refuses it.
# What is so: Swedish, Norwegian, Finnish and Slovenian write the minus as U+2212. currency.js and accounting drop the
#   character and give a positive amount. currency.js also reads the number text 1e5 as 15.
# Who is hurt: shops that paste or read back formatted amounts: a refund of 1.50 becomes income of 1.50.
# Seen on 2026-11-28 with currency.js@2.0.4 and accounting@0.4.1; the sign is the one of CLDR.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts currency.js@2.0.4 accounting@0.4.1
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const currency = require('currency.js')
const accounting = require('accounting')
const text = new Intl.NumberFormat('sv-SE', { style: 'currency', currency: 'SEK' }).format(-1.5)
const comma = { decimal: ',', separator: '.' }
const seen = {
  [`currency.js of ${text}`]: currency(text, comma).value,
  [`accounting of ${text}`]: accounting.unformat(text, ','),
  'currency.js of a hyphen': currency('-1,50 kr', comma).value,
  'currency.js of 1e5': currency('1e5').value,
}
console.log(seen)
assert.equal(text.codePointAt(0), 0x2212)
assert.deepEqual(Object.values(seen), [1.5, 1.5, -1.5, 15])
JS
node look.cjs
