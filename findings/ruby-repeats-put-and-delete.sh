#!/usr/bin/env bash
# Guess: Ruby's Net::HTTP sends a request once, and with read_timeout 2 it gives up after 2 seconds.
# What is so: PUT and DELETE are sent twice, and give up after 4 seconds. max_retries = 0 turns it off. POST is sent
#   once.
# Who is hurt: tills and shops in Ruby that change or cancel payments: the second request answers "already cancelled",
#   an error for a success; and the customer waits twice as long as was set.
# Seen on 2026-11-28 with Debian 12's ruby 3.1.2.
set -euo pipefail
if ! command -v ruby > /dev/null; then
  [ "$(id -u)" = 0 ] || { echo 'install ruby'; exit 1; }
  apt-get update -qq && apt-get install -y -qq ruby > /dev/null
fi
dir=$(mktemp -d)
cd "$dir"
cat > server.mjs <<'JS'
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const server = createServer(({ method }) => appendFileSync('log', `${method}\n`))
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
setTimeout(() => process.exit(), 60_000)
JS
node server.mjs &
server=$!
trap 'kill $server; rm -rf "$dir"' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
ruby -v
ruby -rnet/http -e '
[Net::HTTP::Post, Net::HTTP::Put, Net::HTTP::Delete].each do |kind|
  http = Net::HTTP.new("127.0.0.1", ARGV[0].to_i)
  http.read_timeout = 2
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  begin
    http.request(kind.new("/"))
  rescue Net::ReadTimeout
    puts "#{kind.name} gave up after #{(Process.clock_gettime(Process::CLOCK_MONOTONIC) - began).round} s"
  end
end' "$(cat port)"
sort log | uniq -c | xargs -n2 | tee seen
diff seen - <<'OUT'
2 DELETE
1 POST
2 PUT
OUT
