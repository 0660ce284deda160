#!/usr/bin/env bash
# Guess: dayjs(...).tz(zone).startOf('day').add(1, 'day') is the next midnight in that zone, on every day.
# What is so: on the days when the clocks change it is 24 hours later: 01:00 in spring, 23:00 in autumn. In zones
#   whose clock changes at midnight (Egypt), startOf('day') itself is an hour early. Luxon's days of Amsterdam are
#   right, and so is its start of the day in Cairo.
# Who is hurt: shops whose closing covers [midnight, next midnight): payments of an hour count twice or in no day.
# Seen on 2026-11-28 with dayjs@1.11.23 and luxon@3.7.2, in Europe/Amsterdam and Africa/Cairo.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts dayjs@1.11.23 luxon@3.7.2
cat > look.cjs <<'JS'
const assert = require('node:assert/strict')
const dayjs = require('dayjs')
const { DateTime } = require('luxon')
dayjs.extend(require('dayjs/plugin/utc'))
dayjs.extend(require('dayjs/plugin/timezone'))
const noon = (day) => `${day}T12:00:00Z`
const ofDayjs = (day, zone) => {
  const start = dayjs(noon(day)).tz(zone).startOf('day')
  return [start.toISOString(), start.add(1, 'day').toISOString()]
}
const ofLuxon = (day, zone) => {
  const start = DateTime.fromISO(noon(day)).setZone(zone).startOf('day')
  return [start, start.plus({ days: 1 })].map((time) => time.toUTC().toISO())
}
const at = (hour) => `${hour}:00:00.000Z`
for (const [day, zone, dayjsDay, luxonDay] of [
  ['2026-03-29', 'Europe/Amsterdam', ['2026-03-28T23', '2026-03-29T23'], ['2026-03-28T23', '2026-03-29T22']],
  ['2026-10-25', 'Europe/Amsterdam', ['2026-10-24T22', '2026-10-25T22'], ['2026-10-24T22', '2026-10-25T23']],
  ['2026-04-24', 'Africa/Cairo', ['2026-04-23T21', '2026-04-24T21'], ['2026-04-23T22', '2026-04-24T21']],
]) {
  console.log(day, zone, 'dayjs', ofDayjs(day, zone), 'luxon', ofLuxon(day, zone))
  assert.deepEqual(ofDayjs(day, zone), dayjsDay.map(at))
  assert.deepEqual(ofLuxon(day, zone)[0], at(luxonDay[0]))
  if (zone === 'Europe/Amsterdam') assert.deepEqual(ofLuxon(day, zone)[1], at(luxonDay[1]))
}
JS
TZ=UTC node look.cjs
