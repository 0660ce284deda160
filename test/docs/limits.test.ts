import * as schedule from '../../src/job/core/schedule.ts'
import { expect, it } from 'vitest'
import { sweepsAt } from '../../src/job-index/sweep-plan.ts'
import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { MOST_SECONDS } from '../../src/contract/advance.ts'
import { constant, quota } from './constants.ts'
import { proseOf, read } from './documents.ts'
import { LONGEST_WATCH, MOST_CUSTOMERS, MOST_WATCHERS } from '../../src/job/job-snapshot.ts'

/** Writes delays as the documents do: `5 s, 1, 5, 30 min, 2 h`. */
function written(delays: readonly number[]): string {
  const parts = delays.map((delay) => {
    const [unit, name] = delay < MINUTE ? [1000, 's'] : delay < HOUR ? [MINUTE, 'min'] : [HOUR, 'h']
    return { number: delay / unit, name }
  })
  return parts
    .map(({ number, name }, at) => (parts[at + 1]?.name === name ? `${number}` : `${number} ${name}`))
    .join(', ')
}

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** The questions about a payment at a terminal. */
const terminal = schedule.planOf({ order: { terminal: { id: 'sandbox-1', account: 'sandbox' } } })

/** How long (ms) the hub asks a silent PSP after the time to pay. */
const LAST_PATIENCE = schedule.ASK_AT_END.reduce((sum, pause) => sum + pause, 0)

/** The ages at which the hub checks an open job: in hours, whole days in days. */
function sweepAges(): string {
  const hours = sweepsAt(0, 0, 0).flatMap(({ status, to }) =>
    status === 'PENDING' ? [to / -1000 / HOUR] : [],
  )
  const [days, others] = [hours.filter((age) => age % 24 === 0), hours.filter((age) => age % 24 !== 0)]
  return `${others.join(', ')} hours, ${days.map((age) => age / 24).join(', ')} days`
}

/** The age in days at which the hub checks every job. */
function anyStatusAge(): number | undefined {
  return sweepsAt(0, 0, 0).flatMap(({ status, from, to, of }) =>
    status === null && from !== 0 && of === undefined ? [to / -1000 / DAY] : [],
  )[0]
}

const [perAddress, perKey, creates, searches, perOperator, sessions, unknownJobs, unknownReturns] = [
  quota('GUARDIAN_PER_ADDRESS'),
  quota('GUARDIAN_PER_KEY'),
  quota('CREATE_PER_POS'),
  quota('SEARCH_PER_POS'),
  quota('OPERATOR_PER_ADDRESS'),
  quota('SESSIONS_PER_OPERATOR'),
  quota('UNKNOWN_JOBS_PER_ADDRESS'),
  quota('UNKNOWN_RETURNS_PER_ADDRESS'),
]
const longestWait = constant('src/platform/http', 'LONGEST_WAIT')
const commentSeconds = constant('src/platform/http', 'COMMENT_EVERY') / 1000
const kib = constant('src/platform/http', 'BODY_LIMIT') / 1024
const [, retention] = /^RETENTION_DAYS = "(\d+)"/m.exec(read('wrangler.toml')) ?? []
const [, addressDays] = /^IP_ADDRESS_DAYS = "(\d+)"/m.exec(read('wrangler.toml')) ?? []
const pullsApart = schedule.APART / 1000
const tokenHours = constant('src/registry', 'TOKEN_LIFE') / 3600
const memory = constant('src/registry', '(?:KEPT_)?SECONDS')
const pspSeconds = constant('src/psp', 'DEADLINE') / 1000
const pspMib = constant('src/psp', 'ANSWER_LIMIT') / 1024 / 1024
const receiverSeconds = constant('src/reports', 'DEADLINE') / 1000

const cacheSeconds = constant('src/registry', 'CACHE_SECONDS')
const apiKeyLength = constant('src/operator-api', 'LENGTH')
/** Base64 writes three bytes as four characters. */
const secretLength = (constant('src/platform/crypto', 'SECRET_BYTES') * 4) / 3

/** The minutes until the stream of a shop with a lost key ends: its next comment, and KV's delay. */
const revokedWithin = Math.ceil((commentSeconds + 60 + cacheSeconds + memory) / 60)

/** What a page must say according to the code. A line end counts as a space. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  'docs/pos/guide.md': [
    `(${apiKeyLength} letters and digits)`,
    `**signing secret** (${secretLength} characters)`,
    `A token is valid for ${tokenHours} hours`,
    `before the ${tokenHours} hours are over`,
  ],
  'docs/pos/orders.md': [
    `a number or a text of at most 12 digits`,
    `at most ${constant('src/contract', 'WHOLE_DIGITS')} digits before the point`,
    `at most 2048 characters`,
    `1 to 64 letters`,
    `a text of at most 32 digits`,
    `a text of 1 to 255 characters`,
    `A job expires after ${schedule.DEFAULT_LIFE / HOUR} hours`,
  ],
  'docs/pos/terminals.md': [`card within ${['two', 'three', 'four'][terminal.life / MINUTE - 2]} minutes`],
  'docs/pos/webhooks.md': [
    `Answer with any 2xx within ${receiverSeconds} s`,
    `tries again after ${written(schedule.REPORT.slice(1))}`,
    `That is ${['ten', 'eleven', 'twelve'][schedule.REPORT.length - 10]} tries over three days`,
  ],
  'docs/pos/retries.md': [`${retention} days after the job's last change`],
  'docs/privacy.md': [
    `(${addressDays}) after the job's creation`,
    `(${retention}) after the job's last change`,
  ],
  'docs/pos/errors.md': [`The body is larger than ${kib} KiB`],
  'docs/pos/limits.md': [
    `| request body | ${kib} KiB |`,
    `${perKey.limit} requests in ${perKey.period} seconds for an API key`,
    `${perAddress.limit} for an IP address`,
    `| creates and refunds | ${creates.limit} in ${creates.period} seconds for a point of sale |`,
    `${pspSeconds} s; after that the job is created without it`,
    `| your answer to a report | ${receiverSeconds} s |`,
    `| programs that listen to your reports | ${constant('src/reports', 'MOST_LISTENERS')} at once`,
    `| watchers of a job | ${MOST_WATCHERS}: `,
  ],
  'docs/pos/live-status.md': [
    `${MOST_WATCHERS}, of which ${MOST_CUSTOMERS} are customers at most`,
    `so ${MOST_WATCHERS - MOST_CUSTOMERS} are always free for you`,
    `It waits for 1 to ${longestWait} seconds; more counts as ${longestWait}`,
    `) comes every ${commentSeconds} seconds`,
    `A stream ends after ${LONGEST_WATCH / HOUR} hours`,
    `ends within ${['two', 'three', 'four'][revokedWithin - 2]} minutes`,
  ],
  'docs/pos/local-testing.md': [`from 1 to ${MOST_SECONDS}`],
  'docs/limits.md': [
    `| watchers of a job | ${MOST_WATCHERS}, of which ${MOST_CUSTOMERS} are customers at most |`,
    `| ${LONGEST_WATCH / HOUR} hours; it ends when a key is revoked or the shop is disabled |`,
    `where nothing happens | every ${commentSeconds} seconds |`,
    `| a read that waits for a change | ${longestWait} seconds |`,
    `| request body | ${kib} KiB |`,
    `| access token | ${tokenHours} hours |`,
    `| ${memory} seconds, on top of KV's own cache of ${cacheSeconds} seconds |`,
    `| an account that was looked for in vain | not looked for again for ${constant('src/registry', 'MISS_SECONDS')} seconds`,
    `| a PSP's answer | ${pspSeconds} seconds |`,
    `| the size of a PSP's answer | ${pspMib} MiB |`,
    `| a receiver's answer to a report | ${receiverSeconds} seconds |`,
    `| a job whose PSP names no end | ${schedule.DEFAULT_LIFE / HOUR} hours |`,
    `| ${written(schedule.ASK_AT_AGE)} after the create |`,
    `the PSP is asked ${written(schedule.ASK_UNVISITED)} after the create`,
    `| one request at a time, ${pullsApart} seconds apart |`,
    `| after ${written(schedule.ANNOUNCE.slice(0, -1))}, then each hour |`,
    `| for ${Math.floor(LAST_PATIENCE / DAY)} days |`,
    `| after ${written(schedule.REPORT.slice(1))} |`,
    `It ends ${terminal.life / MINUTE} minutes after the create`,
    `the PSP is asked ${listed.format(terminal.visited.map((age) => String(age / 1000)))} seconds after it`,
    `is asked about after ${written(terminal.announce.slice(0, -1))}, then each hour`,
    `only within ${schedule.START_WITHIN / 1000} seconds of the create`,
    `asks a silent PSP after ${written(terminal.atEnd)}.`,
    `| ${sweepAges()} after the create |`,
    `also one that has ended | ${anyStatusAge()} days after the create |`,
    `cause | ${constant('src/job', 'MOST_OUTSIDE')} in an hour |`,
    `| one announcement at a time, ${constant('src/job', 'ROUNDS_APART') / 1000} seconds apart |`,
    `| an idempotency key after its job was deleted | ${constant('src/job', 'TOMBSTONE_DAYS')} days |`,
    `| a job after its last change | ${retention} days |`,
    `| ${perKey.limit} for an API key; ${perAddress.limit} wrong keys of an address in ${perKey.period} seconds |`,
    `| creates of a point of sale | ${creates.limit} in ${creates.period} seconds |`,
    `| searches of a point of sale for its jobs | ${searches.limit} in ${searches.period} seconds |`,
    `| wrong operator tokens | ${perOperator.limit} for an address in ${perOperator.period} seconds |`,
    `| sessions of the console that begin, and that end | ${sessions.limit} for an operator in ${sessions.period} seconds |`,
    `of payments that do not exist | ${unknownJobs.limit} for an address in ${unknownJobs.period} seconds |`,
    `unsigned notifications of jobs that do not exist | ${unknownReturns.limit} for an address and account in ${unknownReturns.period} seconds |`,
    `that the sandbox does not have | ${unknownJobs.limit} for an address in ${unknownJobs.period} seconds |`,
    `of payments that do not exist | ${unknownReturns.limit} for an address in ${unknownReturns.period} seconds |`,
  ],
  'docs/pos/finding-jobs.md': [`may search ${searches.limit} times in ${searches.period} seconds`],
  'docs/operating': [
    `days after its last change (${retention})`,
    `days (${retention}) after its last change`,
    `report was given up, ${constant('src/operator-api', 'PAGE')} at most`,
    `read less than ${memory} s ago`,
    `KV's own cache for ${cacheSeconds} s`,
    `the Worker's memory for ${memory} s more`,
    `The slowest place may take ${60 + cacheSeconds + memory} s`,
    `second pass ${constant('src/registry', 'SECOND_LOOK')} s later`,
    `for all jobs ${anyStatusAge()} days after it`,
  ],
  'docs/psps.md': [`share the ${pspSeconds} s that a PSP has`],
  'docs/psps/add-a-psp.md': [`more than ${pspMib} MiB`],
  'docs/cost.md': [`a token is read from KV once in ${memory} seconds`],
  'SECURITY.md': [
    `${apiKeyLength} random letters and digits`,
    `bodies of ${kib} KiB at most`,
    `valid for ${tokenHours} hours`,
    `(${retention}) days after a job's last change`,
  ],
}

function pageText(page: string): string {
  return proseOf(read(page)).replaceAll(/\s+/g, ' ')
}

it.each(Object.entries(FACTS))('%s says what the limits of the code are', (page, facts) => {
  const text = pageText(page)
  expect(facts.filter((says) => !text.includes(says))).toEqual([])
})
