#!/usr/bin/env bash
# Guess: field 61 of MT940 has no year for the entry date; a parser takes the year that lies nearest to the value
#   date.
# What is so: with the value date 2025-12-31 and the entry date 0102, mt940-js and lib-fints say 2025-01-02, a year
#   early. The other way round (value 2026-01-02, entry 1231) mt940-js says 2026-12-31, which is to come; lib-fints is
#   right there.
# Who is hurt: bookkeepers at the turn of the year: the line lands in a closed year, or in one that has not begun.
# Seen on 2026-11-28 with mt940-js@1.0.0 and lib-fints@1.5.0.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts mt940-js@1.0.0 tslib@2.8.1 lib-fints@1.5.0
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import mt940 from 'mt940-js'
import { Mt940Parser } from './node_modules/lib-fints/dist/mt940parser.js'
const lines = [':20:S1', ':25:NL91ABNA0417164300', ':28C:1/1', ':60F:C251230EUR100,00',
  ':61:2512310102C20,00NTRFA', ':61:2601021231C5,00NTRFB', ':62F:C260102EUR125,00', '-', '']
const entries = (await mt940.read(Buffer.from(lines.join('\n'))))[0].transactions.map(({ entryDate }) => entryDate)
const { transactions } = new Mt940Parser(lines.join('\r\n')).parse()[0]
const others = transactions.map(({ entryDate }) => entryDate.toISOString().slice(0, 10))
console.log('mt940-js: 251231/0102, 260102/1231', entries)
console.log('lib-fints: 251231/0102, 260102/1231', others)
assert.deepEqual(entries, ['2025-01-02', '2026-12-31'])
assert.deepEqual(others, ['2025-01-02', '2025-12-31'])
JS
TZ=UTC node look.mjs
