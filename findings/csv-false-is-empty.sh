#!/usr/bin/env bash
# Guess: a CSV writer writes false as false, as it writes true as true.
# What is so: csv-stringify writes true as 1 and false as nothing, the same as null; a Date is its milliseconds since
#   1970. fast-csv and Papa Parse write true and false.
# Who is hurt: who reads an export where the column says whether a payment is captured, live or refundable: "no" and
#   "unknown" are one.
# Seen on 2026-11-28 with csv-stringify@6.9.0, fast-csv@5.0.8 and papaparse@5.7.1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts csv-stringify@6.9.0 fast-csv@5.0.8 papaparse@5.7.1
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { writeToString } from 'fast-csv'
import { stringify } from 'csv-stringify/sync'
import Papa from 'papaparse'
const row = ['order', true, false, null]
const seen = {
  'csv-stringify': stringify([[...row, new Date(0)]]).trim(),
  'fast-csv': await writeToString([row]),
  papaparse: Papa.unparse([row]),
}
console.log(seen)
assert.deepEqual(Object.values(seen), ['order,1,,,0', 'order,true,false,', 'order,true,false,'])
JS
node look.mjs
