#!/usr/bin/env bash
# Guess: a validator of European VAT numbers accepts those of each company that is registered today.
# What is so: jsvat refuses Belgian numbers that begin with 1, which the register issues since 2023, and the XI of
#   Northern Ireland, in use since 2021. validator and stdnum accept the Belgian ones.
# Who is hurt: companies founded in Belgium in the last three years, who cannot order on account or without VAT.
# Seen on 2026-11-28 with jsvat@2.5.4, validator@13.15.35 and stdnum@1.12.0. Source: FPS Economy, "Enterprise numbers
#   starting with 1".
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts jsvat@2.5.4 validator@13.15.35 stdnum@1.12.0
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { checkVAT, countries } = require('jsvat')
const validator = require('validator')
const { stdnum } = require('stdnum')
const head = '10000036'
const number = `BE${head}${String(97 - (Number(head) % 97)).padStart(2, '0')}`
const seen = {
  number,
  jsvat: checkVAT(number, countries).isValid,
  validator: validator.isVAT(number, 'BE'),
  stdnum: stdnum.BE.vat.validate(number).isValid,
  'jsvat, of GB and XI': ['GB434031494', 'XI434031494'].map((text) => checkVAT(text, countries).isValid),
}
console.log(seen)
assert.deepEqual(Object.values(seen).slice(1), [false, true, true, [true, false]])
JS
node look.cjs
