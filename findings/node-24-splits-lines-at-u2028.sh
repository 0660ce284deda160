#!/usr/bin/env bash
# Guess: node:readline gives a line for each line feed of a file, in Node 24 as in Node 22.
# What is so: since Node 24 it also ends a line at U+2028 and U+2029, which JSON allows within a text: one record is
#   two lines.
# Who is hurt: who reads exports of a JSON object per line: a description pasted from a word processor breaks the
#   import, after an upgrade of Node, at that one order.
# Seen on 2026-11-28 with Node 24.21.0 and 22.12.0, from npm's node-linux-… packages. JSON: RFC 8259, 7.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
kind=node-linux-$(node -p process.arch)
npm install --silent --no-audit --no-fund --ignore-scripts "new@npm:$kind@24.21.0" "old@npm:$kind@22.12.0"
cat > look.mjs <<'JS'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
const file = Readable.from([`${JSON.stringify({ order: 1, text: 'a\u2028b' })}\n${JSON.stringify({ order: 2 })}\n`])
let lines = 0
for await (const _ of createInterface({ input: file, crlfDelay: Infinity })) lines++
console.log(process.version, lines)
JS
{ node_modules/new/bin/node look.mjs; node_modules/old/bin/node look.mjs; } | tee seen
diff seen - <<'OUT'
v24.21.0 3
v22.12.0 2
OUT
