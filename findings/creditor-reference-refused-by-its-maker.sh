#!/usr/bin/env bash
# Guess: a library that makes ISO 11649 creditor references accepts what it has made.
# What is so: node-iso11649 makes RF73INV-2026 of the invoice number INV-2026, with the hyphen, and its own validate
#   refuses that. iso-11649 leaves the hyphen out: RF73INV2026, which both accept.
# Who is hurt: shops whose invoice numbers have a hyphen: the customer's bank refuses the reference, or passes it on
#   as text that no program matches.
# Seen on 2026-11-28 with node-iso11649@2.1.2 and iso-11649@1.0.1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts node-iso11649@2.1.2 iso-11649@1.0.1
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const node = require('node-iso11649')
const other = require('iso-11649')
const made = [node.generate({ reference: 'INV-2026' }), other.generate('INV-2026')]
const seen = made.map((reference) => [reference, node.validate(reference)])
console.log('node-iso11649, iso-11649; does node-iso11649 accept it?', seen)
assert.deepEqual(seen, [['RF73INV-2026', false], ['RF73INV2026', true]])
JS
node look.cjs
