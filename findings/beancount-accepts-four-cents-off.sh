#!/usr/bin/env bash
# Guess: bean-check refuses a transaction whose sum is not zero.
# What is so: the tolerance is half the last digit written, of the amount with the fewest decimals: 100.0 and -100.04
#   balance, and so does 98.5 + 1.46 - 100.00. Written as 100.00, the same is an error.
# Who is hurt: bookkeepers whose export writes 98.5 for 98.50, as JavaScript, Python and PHP print a number: up to
#   five cents per transaction are missing, and bean-check is silent.
# Seen on 2026-11-28 with Debian 12's beancount 2.3.5.
set -euo pipefail
if ! command -v bean-check > /dev/null; then
  [ "$(id -u)" = 0 ] || { echo 'install beancount'; exit 1; }
  apt-get update -qq && apt-get install -y -qq beancount > /dev/null
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
bean-check --version
book() {
  printf '2026-01-01 open %s\n' Assets:Bank Expenses:Fees Income:Sales > book
  echo '2026-01-02 * "sale"' >> book
  printf '  %s EUR\n' "$@" >> book
  if bean-check book > errors 2>&1; then echo "balances: $*"; else echo "refused: $*"; fi
}
{
  book 'Assets:Bank 100.0' 'Income:Sales -100.04'
  book 'Assets:Bank 100.00' 'Income:Sales -100.04'
  book 'Assets:Bank 98.5' 'Expenses:Fees 1.46' 'Income:Sales -100.00'
  book 'Assets:Bank 98.50' 'Expenses:Fees 1.46' 'Income:Sales -100.00'
} | tee seen
diff seen - <<'OUT'
balances: Assets:Bank 100.0 Income:Sales -100.04
refused: Assets:Bank 100.00 Income:Sales -100.04
balances: Assets:Bank 98.5 Expenses:Fees 1.46 Income:Sales -100.00
refused: Assets:Bank 98.50 Expenses:Fees 1.46 Income:Sales -100.00
OUT
