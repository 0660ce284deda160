#!/usr/bin/env bash
# Guess: a reader of OFX bank files turns AT&amp;T into AT&T.
# What is so: node-ofx-parser escapes it twice more: the name is AT&amp;amp;amp;T. ofx-js has AT&T.
# Who is hurt: bookkeepers whose rules match payments by the payer's name: firms with an ampersand are never matched.
# Seen on 2026-11-28 with node-ofx-parser@0.5.1 and ofx-js@1.1.1, in an OFX 1.02 file.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts node-ofx-parser@0.5.1 ofx-js@1.1.1
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const node = require('node-ofx-parser')
const ofxJs = require('ofx-js')
const file = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260101<DTEND>20260131
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260102<TRNAMT>10.00<FITID>1<NAME>AT&amp;T</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>10.00<DTASOF>20260131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
const name = ({ OFX }) => OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST.STMTTRN.NAME
async function main() {
  const seen = { 'node-ofx-parser': name(node.parse(file)), 'ofx-js': name(await ofxJs.parse(file)) }
  console.log(seen)
  assert.deepEqual(seen, { 'node-ofx-parser': 'AT&amp;amp;amp;T', 'ofx-js': 'AT&T' })
}
main().catch((error) => {
  console.error(error)
  process.exit(1)
})
JS
node look.cjs
