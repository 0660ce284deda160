#!/usr/bin/env bash
# Guess: the known validators of IBANs agree on which countries have one.
# What is so: iban and validator refuse those of Libya, Sudan, Burundi, Djibouti, Russia, Somalia, Mongolia,
#   Nicaragua, the Falkland Islands, Oman, Yemen and Honduras, all in SWIFT's IBAN registry; validator refuses two
#   more. ibantools knows all.
# Who is hurt: customers and sellers from there, who cannot enter an account for refunds or payouts; and who relies on
#   one validator in the browser and another at the server.
# Seen on 2026-11-28 with iban@0.0.14, validator@13.15.35 and ibantools@4.5.4.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts iban@0.0.14 validator@13.15.35 ibantools@4.5.4
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const iban = require('iban')
const { isValidIBAN } = require('ibantools')
const validator = require('validator')
// Made-up accounts in the form that the registry gives for each country; the check digits are calculated.
const accounts = {
  LY: '002048000020100120361', SD: '29010501234001', BI: '10000100010000332045181', DJ: '00010000000154000100186',
  RU: '04452522540817810538091310419', SO: '0001001000001000141', MN: '1234123456123456',
  NI: 'BAPR00000013000003558124', FK: 'SC123456789012', OM: '0010000000123456789', YE: 'CBYE0001018861234567891234',
  HN: 'CABF00000000000250005469', ST: '000100010051845310146', BY: 'NBRB3600900000002Z00AB00', NL: 'ABNA0417164300',
}
function withCheckDigits([country, account]) {
  const digits = [...`${account}${country}00`].map((letter) => Number.parseInt(letter, 36)).join('')
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`
}
const all = Object.entries(accounts).map(withCheckDigits)
const refused = (isValid) => all.filter((account) => !isValid(account)).map((account) => account.slice(0, 2)).join(' ')
const seen = {
  iban: refused((account) => iban.isValid(account)),
  validator: refused((account) => validator.isIBAN(account)),
  ibantools: refused(isValidIBAN),
}
console.log('refused:', seen)
const dozen = 'LY SD BI DJ RU SO MN NI FK OM YE HN'
assert.deepEqual(Object.values(seen), [dozen, `${dozen} ST BY`, ''])
JS
node look.cjs
