#!/usr/bin/env bash
# Guess: 1.005 rounded to two decimals is the same in each language, and in one program always, since all have IEEE
#   doubles.
# What is so: PHP, Ruby, Debian's SQLite 3.40 and JavaScript's Intl say 1.01; Python, JavaScript's toFixed and the
#   SQLite 3.53 of Node 24.21.0 say 1.00 (the double is a little less than 1.005). So it is with 2.675, 1.115, 10.235
#   and 0.285.
# Who is hurt: shops whose PHP plug-in, Node service and SQL report each round VAT of their own: they differ by a
#   cent, per line.
# Seen on 2026-11-28 with Debian 12's php 8.2, python3 3.11, ruby 3.1 and sqlite3 3.40, and Node 24.21.0 (npm's
#   node-linux-…).
set -euo pipefail
for tool in php ruby sqlite3 python3; do
  command -v $tool > /dev/null && continue
  [ "$(id -u)" = 0 ] || { echo "install $tool"; exit 1; }
  apt-get update -qq && apt-get install -y -qq php-cli ruby sqlite3 python3 > /dev/null
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts "node24@npm:node-linux-$(node -p process.arch)@24.21.0"
numbers='1.005, 2.675, 1.115, 10.235, 0.285'
cat > look.mjs <<'JS'
import { DatabaseSync } from 'node:sqlite'
const numbers = process.argv[2].split(', ').map(Number)
const intl = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const round = new DatabaseSync(':memory:').prepare(`SELECT printf('%.2f', round(?, 2)) AS rounded`)
console.log('toFixed', ...numbers.map((number) => number.toFixed(2)))
console.log('Intl', ...numbers.map((number) => intl.format(number)))
console.log('SQLite of Node', ...numbers.map((number) => round.get(number).rounded))
JS
{
  php -r "echo 'PHP ', join(' ', array_map(fn(\$number) => sprintf('%.2f', round(\$number, 2)), [$numbers])), \"\n\";"
  ruby -e "puts 'Ruby ' + [$numbers].map { |number| format('%.2f', number.round(2)) }.join(' ')"
  python3 -c "print('Python', *('%.2f' % round(number, 2) for number in ($numbers)))"
  rounded="SELECT group_concat(printf('%.2f', round(value, 2)), ' ') FROM json_each('[$numbers]')"
  echo "SQLite of Debian $(sqlite3 :memory: "$rounded")"
  node_modules/node24/bin/node --disable-warning=ExperimentalWarning look.mjs "$numbers"
} | tee seen
diff seen - <<'OUT'
PHP 1.01 2.68 1.12 10.24 0.29
Ruby 1.01 2.68 1.12 10.24 0.29
Python 1.00 2.67 1.11 10.23 0.28
SQLite of Debian 1.01 2.68 1.12 10.24 0.29
toFixed 1.00 2.67 1.11 10.23 0.28
Intl 1.01 2.68 1.12 10.24 0.29
SQLite of Node 1.00 2.67 1.11 10.23 0.28
OUT
