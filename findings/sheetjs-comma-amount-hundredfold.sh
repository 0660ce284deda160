#!/usr/bin/env bash
# Guess: SheetJS leaves a CSV cell as text where it cannot tell the decimal mark.
# What is so: it strips commas as thousands: 12,50 is read as the number 1250, -0,05 as -5, and 1.234,56 as 1.23456.
#   An order reference 1-2 becomes the number of a day in 2001.
# Who is hurt: shops in most of Europe that load a bank's or a PSP's CSV: amounts are a hundredfold, without an error.
# Seen on 2026-11-28 with xlsx@0.18.5, the version that npm serves. The option raw: true keeps the text.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const XLSX = require('xlsx')
const csv = 'order;amount\n1-2;12,50\nB;-0,05\nC;1.234,56\n'
const rows = (options) => XLSX.utils.sheet_to_json(XLSX.read(csv, { type: 'string', ...options }).Sheets.Sheet1)
const seen = rows({})
console.log('xlsx', XLSX.version, seen, 'raw:', rows({ raw: true }))
assert.deepEqual(seen.map(({ amount }) => amount), [1250, -5, 1.23456])
assert.equal(typeof seen[0].order, 'number')
assert.deepEqual(rows({ raw: true }).map(({ amount }) => amount), ['12,50', '-0,05', '1.234,56'])
JS
node look.cjs
