#!/usr/bin/env bash
# Guess: how many decimals Intl gives a currency changes at most with a major version of Node.
# What is so: Node 24.0.0 shows forints, rupiahs and Colombian pesos with two decimals and Serbian dinars with none;
#   24.21.0 the other way round. The first has CLDR 47, the second CLDR 48. ISO 4217 says two for all four.
# Who is hurt: shops that take minor units from Intl (resolvedOptions): after an update 10.00 is sent as 10, a
#   hundredth, or shown so.
# Seen on 2026-11-28 with Node 24.0.0 and 24.21.0, from npm's node-linux-… packages.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
kind=node-linux-$(node -p process.arch)
npm install --silent --no-audit --no-fund --ignore-scripts "first@npm:$kind@24.0.0" "later@npm:$kind@24.21.0"
cat > look.cjs <<'JS'
const decimals = (currency) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
const seen = ['HUF', 'IDR', 'COP', 'RSD'].map((code) => code + decimals(code))
console.log(process.version, 'CLDR', process.versions.cldr, ...seen)
JS
{ node_modules/first/bin/node look.cjs; node_modules/later/bin/node look.cjs; } | tee seen
diff seen - <<'OUT'
v24.0.0 CLDR 47.0 HUF2 IDR2 COP2 RSD0
v24.21.0 CLDR 48.0 HUF0 IDR0 COP0 RSD2
OUT
