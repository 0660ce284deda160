#!/usr/bin/env bash
# Guess: hledger reads the amounts of a CSV column with one decimal mark.
# What is so: it decides anew in each row: 1,234.50 is 1234.5, and 1,234 in the next row is 1.234. The rule
#   `decimal-mark .` puts it right.
# Who is hurt: bookkeepers who import a bank's or a PSP's CSV with thousands separators: round sums above 999 lose a
#   factor of 1000.
# Seen on 2026-11-28 with Debian 12's hledger 1.25.
set -euo pipefail
if ! command -v hledger > /dev/null; then
  [ "$(id -u)" = 0 ] || { echo 'install hledger'; exit 1; }
  apt-get update -qq && apt-get install -y -qq hledger > /dev/null
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
hledger --version
printf '2026-01-02,a,"1,234.50"\n2026-01-02,b,"1,234"\n' > bank.csv
for mark in none .; do
  printf 'fields date,description,amount\ncurrency EUR\naccount1 bank\n' > bank.csv.rules
  [ $mark = none ] || echo "decimal-mark $mark" >> bank.csv.rules
  echo "decimal-mark $mark: $(hledger -f bank.csv balance --no-total bank | xargs)"
done | tee seen
diff seen - <<'OUT'
decimal-mark none: EUR1,235.734 bank
decimal-mark .: EUR2,468.50 bank
OUT
