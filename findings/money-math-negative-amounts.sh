#!/usr/bin/env bash
# Guess: money-math, which takes amounts like "-42.10", calculates with them as with positive ones, with the sign
#   turned.
# What is so: 20.00 / 3.00 is 6.67, but -20.00 / 3.00 is -6.65. 1 % of 0.50 is 0.01, and so is 1 % of -0.50. To the
#   nearest 5 cents 10.03 is 10.05, and -10.03 is -9.95.
# Who is hurt: shops that calculate refunds, fees or cash rounding with this library: cents are wrong, or have the
#   wrong sign.
# Seen on 2026-11-28 with money-math@2.6.3. Its README allows a minus.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts money-math@2.6.3
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const money = require('money-math')
const seen = {
  '20.00 / 3.00, -20.00 / 3.00': [money.div('20.00', '3.00'), money.div('-20.00', '3.00')],
  '1 % of 0.50, of -0.50': [money.percent('0.50', '1.00'), money.percent('-0.50', '1.00')],
  '10.03, -10.03 to 5 cents': [money.roundTo5Cents('10.03'), money.roundTo5Cents('-10.03')],
}
console.log('money-math', require('money-math/package.json').version, seen)
assert.deepEqual(Object.values(seen), [['6.67', '-6.65'], ['0.01', '0.01'], ['10.05', '-9.95']])
JS
node look.cjs
