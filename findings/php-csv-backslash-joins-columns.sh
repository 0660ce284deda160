#!/usr/bin/env bash
# Guess: PHP's fgetcsv reads the CSV of RFC 4180, and fputcsv writes it.
# What is so: a backslash before a quote is an escape to PHP: the cell "C:\" swallows the next ones, so that the
#   amount is in another column. And fputcsv writes a\"b without doubling the quote, which other readers take for the
#   end of the cell. With escape: '' both are right.
# Who is hurt: shops that read exports with order texts: one row whose text ends in a backslash has fewer cells,
#   without a warning.
# Seen on 2026-11-28 with Debian 12's PHP 8.2.36.
set -euo pipefail
if ! command -v php > /dev/null; then
  [ "$(id -u)" = 0 ] || { echo 'install php'; exit 1; }
  apt-get update -qq && apt-get install -y -qq php-cli > /dev/null
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
php -v | head -1
php -r '
$row = "\"order C:\\\",10.00,EUR";
$file = fopen("php://memory", "w+");
fputcsv($file, ["a\\\"b", "10.00"]);
rewind($file);
$seen = [str_getcsv($row), str_getcsv($row, escape: ""), trim(fgets($file))];
echo json_encode($seen, JSON_PRETTY_PRINT), "\n";
$wanted = [["order C:\\\",10.00,EUR"], ["order C:\\", "10.00", "EUR"], "\"a\\\"b\",10.00"];
exit($seen === $wanted ? 0 : 1);
'
