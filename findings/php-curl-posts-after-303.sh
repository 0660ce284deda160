#!/usr/bin/env bash
# Guess: with CURLOPT_FOLLOWLOCATION, PHP's curl follows a 303 with a GET, as RFC 9110, 15.4.4, describes.
# What is so: it does after CURLOPT_POSTFIELDS only. With CURLOPT_CUSTOMREQUEST => "POST", as many clients write it,
#   it sends a POST without the body to the new address. The tool does the same with -X POST -L.
# Who is hurt: clients of APIs that answer "created" with a 303 to the payment: the address of the payment gets a
#   POST.
# Seen on 2026-11-28 with Debian 12's PHP 8.2.36 and curl 7.88.1.
set -euo pipefail
for tool in node curl php; do
  command -v $tool > /dev/null && continue
  [ "$(id -u)" = 0 ] || { echo "install $tool"; exit 1; }
  apt-get update -qq && apt-get install -y -qq curl php-cli php-curl > /dev/null
done
php -m | grep -qx curl || { apt-get update -qq && apt-get install -y -qq php-curl > /dev/null; }
dir=$(mktemp -d)
cd "$dir"
cat > server.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    if (request.url === '/create') response.writeHead(303, { location: '/payment' }).end()
    else response.end(`${request.method} ${request.url} "${body}"`)
  })
})
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
setTimeout(() => process.exit(), 60_000)
JS
node server.mjs &
server=$!
trap 'kill $server; rm -rf "$dir"' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)/create
php -v | head -1
php -r '
foreach ([[], [CURLOPT_CUSTOMREQUEST => "POST"]] as $options) {
    $curl = curl_init($argv[1]);
    $options += [CURLOPT_FOLLOWLOCATION => true, CURLOPT_RETURNTRANSFER => true, CURLOPT_POSTFIELDS => "a=1"];
    curl_setopt_array($curl, $options);
    echo curl_exec($curl), "\n";
}' "$url" | tee seen
curl -sS -L -X POST -d a=1 "$url" | tee -a seen
echo | tee -a seen
diff seen - <<'OUT'
GET /payment ""
POST /payment ""
POST /payment ""
OUT
