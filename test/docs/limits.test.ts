import * as schedule from '../../src/job/core/schedule.ts'
import { describe, expect, it } from 'vitest'
import { sweepsAt } from '../../src/job-index/sweep-plan.ts'
import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { MOST_SECONDS } from '../../src/contract/advance.ts'
import { constant, quota } from './constants.ts'
import { proseOf, read } from './documents.ts'
import { LONGEST_WATCH, MOST_CUSTOMERS, MOST_WATCHERS } from '../../src/job/job-snapshot.ts'

/** Delays as the documents write them: `5 s, 1, 5, 30 min, 2 h`. */
function written(delays: readonly number[]): string {
  const parts = delays.map((delay) => {
    const [unit, name] = delay < MINUTE ? [1000, 's'] : delay < HOUR ? [MINUTE, 'min'] : [HOUR, 'h']
    return { number: delay / unit, name }
  })
  return parts
    .map(({ number, name }, at) => (parts[at + 1]?.name === name ? `${number}` : `${number} ${name}`))
    .join(', ')
}

/** How long (ms) a silent PSP is asked once the time to pay is over. */
const LAST_PATIENCE = schedule.ASK_AT_END.reduce((sum, pause) => sum + pause, 0)

/** The ages at which an open job is looked at: in hours, those of whole days in days. */
function sweepAges(): string {
  const hours = sweepsAt(0, 0, 0).flatMap(({ status, to }) =>
    status === 'PENDING' ? [to / -1000 / HOUR] : [],
  )
  const [days, others] = [hours.filter((age) => age % 24 === 0), hours.filter((age) => age % 24 !== 0)]
  return `${others.join(', ')} hours, ${days.map((age) => age / 24).join(', ')} days`
}

/** The age, in days, at which every job is looked at. */
function anyStatusAge(): number | undefined {
  return sweepsAt(0, 0, 0).flatMap(({ status, from, to }) =>
    status === null && from !== 0 ? [to / -1000 / DAY] : [],
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

/** The minutes until a stream ends whose shop lost a key: its next comment, and KV's delay. */
const revokedWithin = Math.ceil((commentSeconds + 60 + cacheSeconds + memory) / 60)

/** What a page says, as the code has it. A line end counts as a space. */
const FACTS: readonly [page: string, says: string][] = [
  ['docs/pos/guide.md', `(${apiKeyLength} letters and digits)`],
  ['docs/pos/guide.md', `**signing secret** (${secretLength} characters)`],
  ['docs/pos/guide.md', `A token is valid for ${tokenHours} hours`],
  ['docs/pos/guide.md', `before the ${tokenHours} hours are over`],
  ['docs/pos/orders.md', `a number or a text of at most 12 digits`],
  ['docs/pos/orders.md', `at most ${constant('src/contract', 'WHOLE_DIGITS')} digits before the point`],
  ['docs/pos/orders.md', `at most 2048 characters`],
  ['docs/pos/orders.md', `1 to 64 letters`],
  ['docs/pos/orders.md', `a text of at most 32 digits`],
  ['docs/pos/orders.md', `a text of 1 to 255 characters`],
  ['docs/pos/orders.md', `A job expires after ${schedule.DEFAULT_LIFE / HOUR} hours`],
  ['docs/pos/webhooks.md', `Answer with any 2xx within ${receiverSeconds} s`],
  ['docs/pos/webhooks.md', `tries again after ${written(schedule.REPORT.slice(1))}`],
  [
    'docs/pos/webhooks.md',
    `That is ${['ten', 'eleven', 'twelve'][schedule.REPORT.length - 10]} tries over three days`,
  ],
  ['docs/pos/retries.md', `${retention} days after the job's last change`],
  ['docs/privacy.md', `(${addressDays}) after the job's creation`],
  ['docs/privacy.md', `(${retention}) after the job's last change`],
  ['docs/pos/errors.md', `The body is larger than ${kib} KiB`],
  ['docs/pos/limits.md', `| request body | ${kib} KiB |`],
  ['docs/pos/limits.md', `${perKey.limit} requests in ${perKey.period} seconds for an API key`],
  ['docs/pos/limits.md', `${perAddress.limit} for an IP address`],
  [
    'docs/pos/limits.md',
    `| creates and refunds | ${creates.limit} in ${creates.period} seconds for a point of sale |`,
  ],
  ['docs/pos/limits.md', `${pspSeconds} s; after that the job is created without it`],
  ['docs/pos/limits.md', `| your answer to a report | ${receiverSeconds} s |`],
  ['docs/pos/live-status.md', `${MOST_WATCHERS}, of which ${MOST_CUSTOMERS} are customers at most`],
  ['docs/pos/live-status.md', `so ${MOST_WATCHERS - MOST_CUSTOMERS} are always free for you`],
  ['docs/pos/live-status.md', `It waits for 1 to ${longestWait} seconds; more counts as ${longestWait}`],
  ['docs/pos/live-status.md', `) comes every ${commentSeconds} seconds`],
  ['docs/pos/live-status.md', `A stream ends after ${LONGEST_WATCH / HOUR} hours`],
  ['docs/pos/live-status.md', `ends within ${['two', 'three', 'four'][revokedWithin - 2]} minutes`],
  [
    'docs/pos/limits.md',
    `| programs that listen to your reports | ${constant('src/reports', 'MOST_LISTENERS')} at once`,
  ],
  ['docs/pos/local-testing.md', `from 1 to ${MOST_SECONDS}`],
  ['docs/pos/limits.md', `| watchers of a job | ${MOST_WATCHERS}: `],
  [
    'docs/limits.md',
    `| watchers of a job | ${MOST_WATCHERS}, of which ${MOST_CUSTOMERS} are customers at most |`,
  ],
  [
    'docs/limits.md',
    `| ${LONGEST_WATCH / HOUR} hours; it ends when a key is revoked or the shop is disabled |`,
  ],
  ['docs/limits.md', `where nothing happens | every ${commentSeconds} seconds |`],
  ['docs/limits.md', `| a read that waits for a change | ${longestWait} seconds |`],
  ['docs/pos/finding-jobs.md', `may search ${searches.limit} times in ${searches.period} seconds`],
  ['docs/operating', `days after its last change (${retention})`],
  ['docs/operating', `days (${retention}) after its last change`],
  ['docs/operating', `report was given up, ${constant('src/operator-api', 'PAGE')} at most`],
  ['docs/operating', `read less than ${memory} s ago`],
  ['docs/operating', `KV's own cache for ${cacheSeconds} s`],
  ['docs/operating', `the Worker's memory for ${memory} s more`],
  ['docs/operating', `The slowest place may take ${60 + cacheSeconds + memory} s`],
  ['docs/operating', `second pass ${constant('src/registry', 'SECOND_LOOK')} s later`],
  ['docs/psps.md', `share the ${pspSeconds} s that a PSP has`],
  ['docs/psps.md', `more than ${pspMib} MiB`],
  ['docs/limits.md', `| request body | ${kib} KiB |`],
  ['docs/limits.md', `| access token | ${tokenHours} hours |`],
  ['docs/limits.md', `| ${memory} seconds, on top of KV's own cache of ${cacheSeconds} seconds |`],
  ['docs/cost.md', `a token is read from KV once in ${memory} seconds`],
  [
    'docs/limits.md',
    `| an account that was looked for in vain | not looked for again for ${constant('src/registry', 'MISS_SECONDS')} seconds`,
  ],
  ['docs/limits.md', `| a PSP's answer | ${pspSeconds} seconds |`],
  ['docs/limits.md', `| the size of a PSP's answer | ${pspMib} MiB |`],
  ['docs/limits.md', `| a receiver's answer to a report | ${receiverSeconds} seconds |`],
  ['docs/limits.md', `| a job whose PSP names no end | ${schedule.DEFAULT_LIFE / HOUR} hours |`],
  ['docs/limits.md', `| ${written(schedule.ASK_AT_AGE)} after the create |`],
  ['docs/limits.md', `| one request at a time, ${pullsApart} seconds apart |`],
  ['docs/limits.md', `| after ${written(schedule.ANNOUNCE.slice(0, -1))}, then each hour |`],
  ['docs/limits.md', `| for ${Math.floor(LAST_PATIENCE / DAY)} days |`],
  ['docs/limits.md', `| after ${written(schedule.REPORT.slice(1))} |`],
  ['docs/limits.md', `| ${sweepAges()} after the create |`],
  ['docs/limits.md', `also one that has ended | ${anyStatusAge()} days after the create |`],
  ['docs/operating', `for all jobs ${anyStatusAge()} days after it`],
  ['docs/limits.md', `cause | ${constant('src/job', 'MOST_OUTSIDE')} in an hour |`],
  [
    'docs/limits.md',
    `| one announcement at a time, ${constant('src/job', 'ROUNDS_APART') / 1000} seconds apart |`,
  ],
  [
    'docs/limits.md',
    `| an idempotency key after its job was deleted | ${constant('src/job', 'TOMBSTONE_DAYS')} days |`,
  ],
  ['docs/limits.md', `| a job after its last change | ${retention} days |`],
  [
    'docs/limits.md',
    `| ${perKey.limit} for an API key; ${perAddress.limit} wrong keys of an address in ${perKey.period} seconds |`,
  ],
  ['docs/limits.md', `| creates of a point of sale | ${creates.limit} in ${creates.period} seconds |`],
  [
    'docs/limits.md',
    `| searches of a point of sale for its jobs | ${searches.limit} in ${searches.period} seconds |`,
  ],
  [
    'docs/limits.md',
    `| wrong operator tokens | ${perOperator.limit} for an address in ${perOperator.period} seconds |`,
  ],
  [
    'docs/limits.md',
    `| sessions of the console that begin, and that end | ${sessions.limit} for an operator in ${sessions.period} seconds |`,
  ],
  [
    'docs/limits.md',
    `of payments that do not exist | ${unknownJobs.limit} for an address in ${unknownJobs.period} seconds |`,
  ],
  [
    'docs/limits.md',
    `unsigned notifications of jobs that do not exist | ${unknownReturns.limit} for an address and account in ${unknownReturns.period} seconds |`,
  ],
  [
    'docs/limits.md',
    `that the sandbox does not have | ${unknownJobs.limit} for an address in ${unknownJobs.period} seconds |`,
  ],
  [
    'docs/limits.md',
    `of payments that do not exist | ${unknownReturns.limit} for an address in ${unknownReturns.period} seconds |`,
  ],
  ['SECURITY.md', `${apiKeyLength} random letters and digits`],
  ['SECURITY.md', `bodies of ${kib} KiB at most`],
  ['SECURITY.md', `valid for ${tokenHours} hours`],
  ['SECURITY.md', `(${retention}) days after a job's last change`],
]

function pageText(page: string): string {
  return proseOf(read(page)).replaceAll(/\s+/g, ' ')
}

describe('the limits of the code are those of the documents', () => {
  it.each(FACTS)('%s says "%s"', (page, says) => {
    // The whole page in an error would hide what is missing.
    expect(pageText(page).includes(says)).toBe(true)
  })
})
