#!/usr/bin/env bash
# Guess: a daily job in a time zone runs once each day, whichever library schedules it.
# What is so: node-cron drops the run whose local time the clock skips (02:30 on 29 March in Amsterdam, midnight on 24
#   April in Cairo). cron runs a midnight job twice where the clock goes back at midnight (Santiago, Cairo): first at
#   23:00. croner runs each once.
# Who is hurt: shops and operators whose day closing, capture or payout runs by such a schedule: a day is never
#   closed, or closed an hour early and then once more.
# Seen on 2026-11-28 with node-cron@4.6.0, cron@4.4.0 and croner@11.0.1, with a mocked clock that moves minute by
#   minute.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts node-cron@4.6.0 cron@4.4.0 croner@11.0.1
cat > look.cjs <<'JS'
const { mock } = require('node:test')
const [library, start, zone, pattern] = process.argv.slice(2)
const schedule = {
  'node-cron': (run) => require('node-cron').schedule(pattern, run, { timezone: zone }),
  cron: (run) => new (require('cron').CronJob)(pattern, run, null, true, zone),
  croner: (run) => new (require('croner').Cron)(pattern, { timezone: zone }, run),
}
async function main() {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.parse(start) })
  const runs = []
  schedule[library](() => runs.push(new Date().toISOString().slice(5, 16)))
  for (let minute = 0; minute < 2 * 24 * 60; minute++) {
    mock.timers.tick(60_000)
    await Promise.resolve()
  }
  console.log(runs.join(' '))
  process.exit()
}
main()
JS
expect() {
  local runs
  runs=$(TZ=UTC node look.cjs "$1" "$2" "$3" "$4")
  echo "$1, $3, $4: $runs"
  [ "$runs" = "$5" ] || { echo "expected $5"; exit 1; }
}
expect node-cron 2026-03-28T12:00:00Z Europe/Amsterdam '30 2 * * *' '03-30T00:30'
expect croner 2026-03-28T12:00:00Z Europe/Amsterdam '30 2 * * *' '03-29T01:00 03-30T00:30'
expect node-cron 2026-04-23T12:00:00Z Africa/Cairo '0 0 * * *' '04-24T21:00'
expect croner 2026-04-23T12:00:00Z Africa/Cairo '0 0 * * *' '04-23T22:00 04-24T21:00'
expect cron 2026-04-04T12:00:00Z America/Santiago '0 0 * * *' '04-05T03:00 04-05T04:00 04-06T04:00'
expect croner 2026-04-04T12:00:00Z America/Santiago '0 0 * * *' '04-05T04:00 04-06T04:00'
