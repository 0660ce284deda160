#!/usr/bin/env bash
# Guess: the commodity directive of a user's journal says how amounts are shown; an included file with 1234.50 stays
#   as it is.
# What is so: with `commodity 1.000,00 EUR` in the journal, the included 1234.50 is read as 123450. With `decimal-mark
#   .` at the head of the included file it is right.
# Who is hurt: bookkeepers in most of Europe who include books that a program exports: all its amounts are a
#   hundredfold, and balance.
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
printf '2026-01-02 sale\n  assets:bank  1234.50 EUR\n  income:sales\n' > plain.journal
{ echo 'decimal-mark .'; cat plain.journal; } > marked.journal
for included in plain marked; do
  printf 'commodity 1.000,00 EUR\ninclude %s.journal\n' $included > books.journal
  echo "$included: $(hledger -f books.journal balance --no-total assets | xargs)"
done | tee seen
diff seen - <<'OUT'
plain: 123.450,00 EUR assets:bank
marked: 1.234,50 EUR assets:bank
OUT
