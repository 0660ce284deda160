#!/usr/bin/env bash
# Guess: hledger's directive `commodity 1.00 EUR` is about how amounts are shown; a transaction that does not balance
#   stays an error.
# What is so: with it, a transaction that is off by 0.004 EUR balances; without it, it is an error. After 250 of them
#   the trial balance of a journal without an error is 1.00 EUR. ledger refuses each.
# Who is hurt: bookkeepers of fees and exchange rates with more than two decimals: the export's fault shows at the
#   year's end only.
# Seen on 2026-11-28 with Debian 12's hledger 1.25 and ledger 3.3.0.
set -euo pipefail
if ! command -v hledger > /dev/null || ! command -v ledger > /dev/null; then
  [ "$(id -u)" = 0 ] || { echo 'install hledger and ledger'; exit 1; }
  apt-get update -qq && apt-get install -y -qq hledger ledger > /dev/null
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
hledger --version
ledger --version | head -1
for _ in $(seq 250); do
  printf '2026-01-02 sale\n  assets:bank  10.00 EUR\n  expenses:fees  0.004 EUR\n  income:sales  -10.00 EUR\n\n'
done > plain.journal
{ printf 'commodity 1.00 EUR\n\n'; cat plain.journal; } > directive.journal
{
  echo "with the directive: $(hledger -f directive.journal balance | tail -1 | xargs)"
  echo "without: $(hledger -f plain.journal balance 2>&1 | grep -o 'could not balance this transaction' || true)"
  echo "ledger: $(ledger -f directive.journal balance 2>&1 | grep -o 'Transaction does not balance' | head -1 || true)"
} | tee seen
diff seen - <<'OUT'
with the directive: 1.00 EUR
without: could not balance this transaction
ledger: Transaction does not balance
OUT
