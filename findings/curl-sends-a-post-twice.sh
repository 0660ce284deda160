#!/usr/bin/env bash
# Guess: curl sends a POST once, unless it is called with --retry; so does PHP, whose clients use the same library.
# What is so: if a connection that was kept open closes without an answer, curl opens another and sends the request
#   again, POST too, silently. The server has carried out both. curl and PHP report one success.
# Who is hurt: shops whose PHP client reuses a handle to create payments or refunds without an idempotency key: two of
#   each, when the server restarts at the wrong moment. CURLOPT_FORBID_REUSE, a new handle each time, or a key avoid
#   it.
# Seen on 2026-11-28 with Debian 12's curl 7.88.1 and PHP 8.2.36. RFC 9110, 9.2.2: a client SHOULD NOT do so, unless
#   it knows that the request is idempotent or was not carried out.
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
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const requests = new WeakMap()
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const nth = (requests.get(request.socket) ?? 0) + 1
    requests.set(request.socket, nth)
    appendFileSync('log', `${request.method} ${request.url}, request ${nth} of its connection\n`)
    if (nth === 2) request.socket.destroy()
    else response.end('ok')
  })
})
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
setTimeout(() => process.exit(), 60_000)
JS
node server.mjs &
server=$!
trap 'kill $server; rm -rf "$dir"' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)
curl --version | head -1
curl -sS -d a=1 "$url/curl-first" "$url/curl-second"
echo
php -v | head -1
php -r '
$curl = curl_init();
foreach (["first", "second"] as $name) {
    curl_setopt_array($curl, [CURLOPT_URL => "$argv[1]/php-$name", CURLOPT_POSTFIELDS => "a=1"]);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    echo curl_exec($curl), curl_error($curl), "\n";
}' "$url"
cat log
for client in curl php; do
  [ "$(grep -c "POST /$client-first," log)" = 1 ]
  [ "$(grep -c "POST /$client-second," log)" = 2 ] || { echo "$client sent the second POST once"; exit 1; }
done
