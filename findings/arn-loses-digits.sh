#!/usr/bin/env bash
# Guess: a parser that makes numbers of text leaves those as text that a number cannot hold.
# What is so: fast-xml-parser does so for 16 digits above 2^53, but makes 1.2345678901234568e+23 of 24 digits;
#   csv-parse with cast, and ExcelJS, round both. Papa Parse keeps them. EndToEndId 0012E3 becomes 12000 in
#   fast-xml-parser.
# Who is hurt: who matches card payments or refunds by acquirer reference (ARN, 23 digits) or bank files by
#   EndToEndId: two references become one, and none is found again.
# Seen on 2026-11-28 with fast-xml-parser@5.12.1, csv-parse@7.0.3, exceljs@4.4.0 and papaparse@5.7.1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts \
  fast-xml-parser@5.12.1 csv-parse@7.0.3 exceljs@4.4.0 papaparse@5.7.1
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const { XMLParser } = require('fast-xml-parser')
const { parse } = require('csv-parse/sync')
const ExcelJS = require('exceljs')
const Papa = require('papaparse')
const references = ['9837654321098765', '74537604221422123456789']
const xml = (id) => new XMLParser().parse(`<EndToEndId>${id}</EndToEndId>`).EndToEndId
async function main() {
  const sheet = await new ExcelJS.Workbook().csv.read(Readable.from([`${references.join('\n')}\n`]))
  const seen = {
    'fast-xml-parser': references.map(xml),
    'csv-parse': parse(references.join(','), { cast: true })[0],
    exceljs: sheet.getColumn(1).values.slice(1),
    papaparse: Papa.parse(references.join(','), { dynamicTyping: true }).data[0],
    'fast-xml-parser of 0012E3': xml('0012E3'),
  }
  console.log(seen)
  assert.deepEqual(seen['fast-xml-parser'], [references[0], Number(references[1])])
  assert.deepEqual(seen['csv-parse'], references.map(Number))
  assert.deepEqual(seen.exceljs, references.map(Number))
  assert.deepEqual(seen.papaparse, references)
  assert.equal(seen['fast-xml-parser of 0012E3'], 12000)
}
main().catch((error) => {
  console.error(error)
  process.exit(1)
})
JS
node look.cjs
