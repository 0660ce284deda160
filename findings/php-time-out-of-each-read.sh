#!/usr/bin/env bash
# Guess: with the http option timeout 1, PHP's file_get_contents ends after about a second, and PHP's
#   max_execution_time ends it too.
# What is so: the time-out begins anew with each read, and waiting does not count for max_execution_time: an answer
#   that drips for 4 seconds takes 4 seconds, and succeeds. CURLOPT_TIMEOUT limits the whole call.
# Who is hurt: tills and checkouts that wait for a PSP: the customer stands there for as long as the other side drips.
# Seen on 2026-11-28 with Debian 12's PHP 8.2.36.
set -euo pipefail
if ! command -v php > /dev/null || ! php -m | grep -qx curl; then
  [ "$(id -u)" = 0 ] || { echo 'install php and its curl'; exit 1; }
  apt-get update -qq && apt-get install -y -qq php-cli php-curl > /dev/null
fi
dir=$(mktemp -d)
cd "$dir"
cat > server.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
const server = createServer(async (_, response) => {
  response.writeHead(200, { 'content-length': 8 })
  for (let written = 0; written < 8; written++) {
    response.write('x')
    await sleep(500)
  }
  response.end()
})
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
setTimeout(() => process.exit(), 60_000)
JS
node server.mjs &
server=$!
trap 'kill $server; rm -rf "$dir"' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
php -v | head -1
php -d max_execution_time=2 -r '
$url = "http://127.0.0.1:$argv[1]/";
set_time_limit(2);
$began = microtime(true);
$answer = file_get_contents($url, false, stream_context_create(["http" => ["timeout" => 1]]));
$streamTook = microtime(true) - $began;
$curl = curl_init($url);
curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 1]);
$began = microtime(true);
curl_exec($curl);
$curlTook = microtime(true) - $began;
printf("file_get_contents: %.1f s, \"%s\"\n", $streamTook, $answer);
printf("curl: %.1f s, %s\n", $curlTook, curl_error($curl));
exit($answer === "xxxxxxxx" && $streamTook > 3 && curl_errno($curl) === 28 ? 0 : 1);
' "$(cat port)"
