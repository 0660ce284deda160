#!/usr/bin/env bash
# Guess: ExcelJS reads a CSV column of dates DD-MM-YYYY in one way, or leaves it as text.
# What is so: it takes MM-DD-YYYY wherever that is a date: 05-06-2026 becomes 6 May, and 25-06-2026 stays text. The
#   hexadecimal reference 0x10 becomes 16.
# Who is hurt: shops outside the US that read settlement or bank files: up to the 12th of a month, the day is a month
#   off.
# Seen on 2026-11-28 with exceljs@4.4.0.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const ExcelJS = require('exceljs')
async function main() {
  const sheet = await new ExcelJS.Workbook().csv.read(Readable.from(['date\n05-06-2026\n25-06-2026\n0x10\n']))
  const [, , first, second, reference] = sheet.getColumn(1).values
  console.log('exceljs', require('exceljs/package.json').version, [first, second, reference])
  assert.deepEqual([first.getFullYear(), first.getMonth() + 1, first.getDate()], [2026, 5, 6])
  assert.equal(second, '25-06-2026')
  assert.equal(reference, 16)
}
main().catch((error) => {
  console.error(error)
  process.exit(1)
})
JS
TZ=UTC node look.cjs
