/**
 * Single branches that no seed reaches, by their names in `coverage.ts`, by the reason and where they are tried instead. One that is
 * reached does not belong here.
 */
export const NEVER: Readonly<Record<string, readonly string[]>> = {
  'what is called always says what it knows: test/domain': [
    'src/job/rules/announcement.ts: cond-expr, arm 2: ...(asked ? { asked: readable(asked) } : {}),',
    'src/job/rules/announcement.ts: default-arg, arm 1: const { answer, unsure = [], passedOver = [], isLive = false, asked, ...known } = wanted',
    "src/job/rules/job-row.ts: binary-expr, arm 2: report?.state === 'dead' ? realAt(clock, report.attempts.at(-1)?.at ?? report.dueAt) : null",
    'src/job/rules/representation.ts: binary-expr, arm 2: return { status: step?.status ?? job.status, ...amounts(job, step?.paid ?? job.paid) }',
    'src/job/announce.ts: binary-expr, arm 2: message: `The payment service provider was not asked: it has not answered since ${new Date(first?.since ?? 0).toISOString().slice(0, 19)}Z.`,',
  ],
  'each order is in euros, for all that is told of it: test/contract/currency.test.ts, test/job/told-moves.test.ts':
    [
      'src/contract/money.ts: if, arm 1: if (decimals === undefined) throw new Error(`${currency} is no active ISO 4217 code`)',
      'src/job/job-pulls.ts: if, arm 1: if (told.moves?.some(({ currency }) => currency !== undefined && currency !== job.order.currency)) {',
    ],
  'jobs of test mode alone have a clock, and the sandbox: test/job/rules/job-clock.test.ts, test/job/test-clock.test.ts':
    ["src/registry/route-rules.ts: if, arm 1: if (profile.mode === 'test') return [SANDBOX_ACCOUNT]"],
  'one route is for every method: test/registry/route-rules.test.ts': [
    "src/registry/route-rules.ts: cond-expr, arm 1: const routes = own.length > 0 ? own : routesOf(profile, '*')",
  ],
  'what is stored can be read, and is of this release: test/platform/stored.test.ts, test/platform/unreadable.test.ts':
    [
      "src/platform/stored.ts: binary-expr, arm 1: `is not of its form: ${issues.map((issue) => v.getDotPath(issue) ?? 'as a whole').join(', ')}`",
      "src/platform/stored.ts: binary-expr, arm 2: `is not of its form: ${issues.map((issue) => v.getDotPath(issue) ?? 'as a whole').join(', ')}`",
      "src/platform/stored.ts: if, arm 1: if (!parsed.success) return refuse({ is: 'broken', detail: whereWrong(parsed.issues) })",
      'src/platform/stored.ts: if, arm 1: if (from > version) {',
      "src/platform/stored.ts: if, arm 1: if (typeof from !== 'number' || !Number.isInteger(from) || from < 1) {",
      'src/platform/stored.ts: if, arm 1: if (upgraded === null)',
      "src/job/stored-job.ts: if, arm 1: if (!read.ok) throw new UnreadableError('the job', read.error)",
    ],
  'nobody has the address of a payment that its job has not taken, and so nobody pays it: test/job/rules/other-payments.test.ts, test/job/other-accounts.test.ts, test/job/money-over-its-life.test.ts':
    [
      'src/job/rules/job.ts: binary-expr, arm 2: after.paid > after.order.amount && after.paid > (before?.paid ?? 0)',
      "src/job/rules/other-payments.ts: binary-expr, arm 1: counted.status === 'SUCCESS' && counted.announcement.is === 'announced' && !counted.closed",
      "src/job/rules/other-payments.ts: binary-expr, arm 2: counted.status === 'SUCCESS' && counted.announcement.is === 'announced' && !counted.closed",
      "src/job/rules/other-payments.ts: binary-expr, arm 3: counted.status === 'SUCCESS' && counted.announcement.is === 'announced' && !counted.closed",
      'src/job/rules/other-payments.ts: cond-expr, arm 1: return isToBeClosed ? { ...counted, pullAt: now, askedForPullAt: now } : counted',
      'src/job/rules/other-payments.ts: cond-expr, arm 2: return isToBeClosed ? { ...counted, pullAt: now, askedForPullAt: now } : counted',
      'src/job/rules/other-payments.ts: if, arm 2: if (paid === other.paid) return known',
      "src/job/job-record.ts: if, arm 1: if (isNewlyOverpaid(before, saved)) log.warn('payment.overpaid', about)",
      "src/job/look-at-other.ts: if, arm 1: if (answer.is === 'observed' && answer.paid > 0) {",
    ],
}

/** Branches that only many thousands of seeds reach, by why that is and where they are tried besides. */
export const RARE: Readonly<Record<string, readonly string[]>> = {
  'few customers and shops ask often enough to be told to wait, or for so many refunds: test/job/outside-calls.test.ts, test/job/pull-turns.test.ts, test/job/rules/refund-request.test.ts':
    [
      'src/job/rules/outside-calls.ts: cond-expr, arm 2: return oldest === undefined ? null : oldest + HOUR',
      "src/job/rules/refund-request.ts: if, arm 1: if ((job.moneyBack?.refunds.length ?? 0) >= MOST_REFUNDS) return refuse({ is: 'too-many' })",
      "src/job/announce-turns.ts: if, arm 1: if (cause === 'visit' && calls.count(now) !== null) return { is: 'done', job }",
      'src/job/outside-calls.ts: if, arm 2: if (at === null) times.push(now)',
      "src/job/pull-turns.ts: if, arm 1: if (at !== null) return { is: 'later', at }",
      "src/job/refund-refusals.ts: switch, arm 4: case 'too-many':",
    ],
  'few jobs go while they are asked for: test/job/gone-jobs.test.ts': [
    'src/job/rules/refund-request.ts: if, arm 1: if (!moneyBack) return job',
    'src/job/rules/refund-request.ts: if, arm 1: if (!refund || !job.moneyBack) return job',
    'src/job/alarm-work.ts: if, arm 1: if (!job) return',
    'src/job/alarm-work.ts: if, arm 2: if (found) change((current, now) => recordOther(current, work.other, found, now))',
    'src/job/announce-turns.ts: if, arm 1: if (!job) return null',
    'src/job/cancel-payment.ts: if, arm 1: if (job === null) return null',
    'src/job/cancel-payment.ts: if, arm 1: if (synced === null) return null',
    'src/job/job-pulls.ts: binary-expr, arm 2: return change((current, now) => countMoves(recordTold(current, told), now)) ?? job',
    "src/job/job-pulls.ts: binary-expr, arm 2: return { is: 'pull', job: read() ?? job }",
    'src/job/job-pulls.ts: binary-expr, arm 3: (about && change((current, now) => lookSooner(current, about.account, now))) ?? job',
    'src/job/job-pulls.ts: if, arm 1: if (!found) return null',
    'src/job/payment-job.ts: if, arm 1: if (!job) return null',
    'src/job/refund-payment.ts: cond-expr, arm 2: return ended && known ? { job: ended, refund: known } : { job, refund }',
    "src/job/refund-payment.ts: if, arm 1: if (!refund || !payment) return { is: 'unknown' }",
    'src/job/refund-payment.ts: if, arm 1: if (!refund) return null',
  ],
  "a shop's receiver never says that it is gone: test/job/rules/reporting.test.ts": [
    "src/job/rules/reporting.ts: switch, arm 2: case 'stopped':",
  ],
  'what is stored can be read, and is of this release: test/platform/stored.test.ts, test/platform/unreadable.test.ts':
    [
      "src/platform/stored.ts: if, arm 1: if (!isRecord(stored)) return refuse({ is: 'broken', detail: 'is no object' })",
      'src/job/call-job.ts: if, arm 1: if (!isUnreadable(error)) throw error',
      'src/job/call-job.ts: if, arm 2: if (!isUnreadable(error)) throw error',
      "src/job/tombstone.ts: if, arm 1: if (!tombstone.ok) throw new UnreadableError('the tombstone', tombstone.error)",
    ],
  'few accounts cannot be found, and none is removed: test/operator-api': [
    'src/job/rules/announcement.ts: default-arg, arm 1: passedOver: readonly string[] = [],',
    'src/job/rules/announcement.ts: default-arg, arm 1: unsure: readonly string[] = [],',
    'src/job/announce-again.ts: cond-expr, arm 1: return account ? [account] : []',
    'src/job/announce-again.ts: cond-expr, arm 2: const accounts = profile ? carriersOf(accountsFor(profile, paymentMethod), paymentMethod) : []',
    'src/job/announce-again.ts: cond-expr, arm 2: return account ? [account] : []',
    'src/job/announce-again.ts: if, arm 2: if (accounts.length > 0) return accounts',
    "src/job/announce-again.ts: if, arm 2: if (first) return announceAtOne(env, [first, ...others], job, 'again')",
    "src/job/look-at-other.ts: if, arm 1: if (!psp) return { is: 'unavailable' }",
    'src/job/ask-psp.ts: binary-expr, arm 2: return psp ?? SILENT_PSP',
    "src/job/ask-psp.ts: if, arm 1: if (!psp) log.error('psp.account-unknown', { job: id, pos, account })",
  ],
  'few turns are asked for twice under one id: test/job/pull-turns.test.ts, test/job/outside-calls.test.ts': [
    'src/job/pull-turns.ts: if, arm 1: if (underWay?.id !== id) return',
    'src/job/announce-turns.ts: if, arm 1: if (underWay?.id !== id) return',
    "src/job/announce-turns.ts: if, arm 1: if (underWay?.id === id) return { is: 'announce', job }",
    "src/job/pull-turns.ts: if, arm 1: if (underWay?.id === id) return { is: 'pull' }",
  ],
  'few notifications claim a status: test/job/claims.test.ts': [
    'src/job/ask-psp.ts: cond-expr, arm 1: ? { ...pulled, status: claimedStatus }',
  ],
  'few schedules go on with a job that was purged, and none for the years until nothing is left of it: test/job/tombstone.test.ts':
    [
      'src/job/tombstone.ts: cond-expr, arm 1: await (now < end ? storage.setAlarm(end) : storage.deleteAll())',
      'src/job/tombstone.ts: cond-expr, arm 2: await (now < end ? storage.setAlarm(end) : storage.deleteAll())',
      'src/job/tombstone.ts: if, arm 1: if (!tombstone) return',
      'src/job/tombstone.ts: if, arm 1: if (tombstone) await storage.setAlarm(Math.max(endOfTombstone(tombstone), now + 1000))',
      'src/job/tombstone.ts: if, arm 2: if (!tombstone) return',
    ],
  'few schedules have a PSP that is silent for days: test/job/rules/silent-psp.test.ts, test/job/rules/pull.test.ts, test/job/rules/unanswered.test.ts':
    [
      'src/job/rules/after-end.ts: if, arm 1: if (end === null || !isLookedAfter(job)) return null',
      'src/job/rules/job.ts: cond-expr, arm 1: return end === undefined ? null : Math.floor(end.at / 1000)',
      "src/job/rules/pull.ts: if, arm 1: if (answer.is !== 'observed') return expireUnanswered(job, now)",
      "src/job/rules/pull.ts: if, arm 1: if (status === 'PENDING') return expireUnanswered(recordPull(job, 'Statuspull', answer, now), now)",
      'src/job/rules/schedule.ts: binary-expr, arm 2: const again = now + jittered(LAST_PULL_AGAIN_AFTER[tries - 1] ?? 12 * HOUR, random)',
      "src/job/rules/timers.ts: binary-expr, arm 2: return { work: 'last-pull', at: job.lastPulls === 0 ? end : (job.pullAt ?? end) }",
      "src/job/rules/timers.ts: if, arm 1: if (job.announcement.is !== 'announced') return { work: 'expire', at: job.expiresAt }",
      'src/job/rules/transition.ts: binary-expr, arm 2: const isOver = now >= Math.max(job.updated / 1000, job.askedForPullAt ?? 0) + LAST_PULL_PATIENCE',
      'src/job/rules/transition.ts: cond-expr, arm 1: now >= waitsUntil(job) + LAST_PULL_PATIENCE ? expire(job, now) : job',
      'src/job/rules/transition.ts: cond-expr, arm 1: return isOver ? withoutPull(job) : { ...job, pullAt: nextPullAt(createdAt(job), now, random) }',
      'src/job/rules/transition.ts: cond-expr, arm 2: now >= waitsUntil(job) + LAST_PULL_PATIENCE ? expire(job, now) : job',
      'src/job/rules/transition.ts: cond-expr, arm 2: return expiresAt === next.expiresAt ? next : { ...next, expiresAt, lastPulls: 0 }',
    ],
  'few announcements that are repeated are refused, or meet one that is under way: test/job/rules/announcement.test.ts, test/job/create.test.ts, test/job/rules/plan.test.ts':
    [
      'src/job/rules/announcement.ts: cond-expr, arm 1: return { ...job, announcement, error: isSame ? job.error : answer.message }',
      'src/job/rules/announcement.ts: cond-expr, arm 2: return { ...job, announcement, error: isSame ? job.error : answer.message }',
      "src/job/rules/announcement.ts: switch, arm 2: case 'refused':",
      "src/job/rules/plan.ts: if, arm 1: if (current.announcement.is !== 'due') return { job: current, work: null }",
      'src/job/rules/schedule.ts: binary-expr, arm 2: now + jittered(ANNOUNCE_AGAIN_AFTER[tries - 1] ?? HOUR, random)',
      "src/job/alarm-work.ts: if, arm 2: if (turn?.is === 'announce') object.announced(await announceAgain(env, turn.job), call)",
      'src/job/announce-turns.ts: binary-expr, arm 2: const lostAt = underWay && underWay.since + LONGEST_ANNOUNCEMENT',
      'src/job/announce-turns.ts: binary-expr, arm 2: if (underWay && lostAt !== null && now < lostAt) {',
      'src/job/announce-turns.ts: binary-expr, arm 3: if (underWay && lostAt !== null && now < lostAt) {',
      "src/job/announce-turns.ts: if, arm 1: if (job.announcement.is !== 'due' || isFinal(job.status)) return { is: 'done', job }",
      'src/job/announce-turns.ts: if, arm 1: if (underWay && lostAt !== null && now < lostAt) {',
      'src/job/payment-job.ts: binary-expr, arm 2: return known.fingerprint === wanted.fingerprint ? (this.announced(wanted) ?? known) : known',
      'src/job/payment-job.ts: cond-expr, arm 2: return known.fingerprint === wanted.fingerprint ? (this.announced(wanted) ?? known) : known',
      "src/job/ask-psp.ts: if, arm 1: if (job.announcement.is !== 'announced') return { answer: { is: 'unknown' }, stopped: false }",
    ],
  'few gift cards pay a part: test/job/rules/partial-payment.test.ts': [
    "src/job/rules/apply.ts: cond-expr, arm 2: if (seen === 'SUCCESS') return paidInFull ? 'SUCCESS' : current",
    "src/job/rules/pull.ts: cond-expr, arm 1: const partlyPaid = paid > job.paid ? apply(job, 'Statuspull', { status: 'PENDING', paid }, now) : job",
  ],
  'few looks meet at one moment: test/job/rules/pull-turn.test.ts, test/job/pull-turns.test.ts, test/job/rules/pull-times.test.ts':
    [
      'src/job/rules/apply.ts: cond-expr, arm 2: isFinal(status) && status !== job.status ? { ...marked, pullAt: firstLookAt(marked) } : marked',
      "src/job/rules/pull-turn.ts: cond-expr, arm 2: return now < patient ? { is: 'wait', until: patient } : { is: 'later', at: now + PULLS_APART }",
      'src/job/rules/transition.ts: cond-expr, arm 2: return job.pullAt === null || at <= job.pullAt ? job : { ...job, pullAt: at }',
      'src/job/rules/transition.ts: if, arm 1: if (job.pullAt === null) return job',
      'src/job/pull-turns.ts: binary-expr, arm 2: underWay !== null && Date.now() < underWay.since + patienceFor(underWay.reason)',
    ],
  'few receivers fail until a report is given up, or take an old report after a new one: test/job/rules/reporting.test.ts, test/job/rules/resend.test.ts, test/job/rules/report-retries.test.ts':
    [
      'src/job/rules/reporting.ts: cond-expr, arm 1: ...(milliseconds === undefined ? {} : { milliseconds: Math.max(milliseconds, 0) }),',
      "src/job/rules/job-row.ts: binary-expr, arm 1: report?.state === 'dead' ? realAt(clock, report.attempts.at(-1)?.at ?? report.dueAt) : null",
      "src/job/rules/job-row.ts: cond-expr, arm 1: report?.state === 'dead' ? realAt(clock, report.attempts.at(-1)?.at ?? report.dueAt) : null",
      'src/job/rules/job-row.ts: cond-expr, arm 2: ...(job.sequence === sequence ? { indexAt: null, indexSends: 0 } : {}),',
      'src/job/rules/job-row.ts: cond-expr, arm 2: : job',
      "src/job/rules/reporting.ts: binary-expr, arm 1: if (!newest || newest.revision <= revision || newest.state === 'dead') return job",
      "src/job/rules/reporting.ts: binary-expr, arm 2: if (!newest || newest.revision <= revision || newest.state === 'dead') return job",
      "src/job/rules/reporting.ts: binary-expr, arm 3: if (!newest || newest.revision <= revision || newest.state === 'dead') return job",
      'src/job/rules/reporting.ts: cond-expr, arm 1: ? { ...delivered, attempts, tries: 0, dueAt: now }',
      "src/job/rules/reporting.ts: cond-expr, arm 1: if (!isWanted(job, revision)) return delivery.is === 'delivered' ? afterOvertaking(job, revision, now) : job",
      "src/job/rules/reporting.ts: cond-expr, arm 2: if (!isWanted(job, revision)) return delivery.is === 'delivered' ? afterOvertaking(job, revision, now) : job",
      'src/job/rules/reporting.ts: cond-expr, arm 2: return isSameForOperators(renewed, job) ? renewed : markIndexDue(renewed, now)',
      "src/job/rules/reporting.ts: if, arm 1: if (!isWanted(job, revision)) return delivery.is === 'delivered' ? afterOvertaking(job, revision, now) : job",
      "src/job/rules/reporting.ts: if, arm 1: if (!newest || newest.revision <= revision || newest.state === 'dead') return job",
      "src/job/rules/reporting.ts: if, arm 1: if (at === null) return { ...report, attempts, state: 'dead' }",
      "src/job/rules/reporting.ts: if, arm 1: if (newest.state === 'delivered') return resend(job, now)",
      "src/job/rules/reporting.ts: if, arm 2: if (!newest || newest.revision <= revision || newest.state === 'dead') return job",
      "src/job/rules/reporting.ts: if, arm 2: if (newest.state === 'delivered') return resend(job, now)",
      'src/job/rules/schedule.ts: cond-expr, arm 1: return after === undefined ? null : now + jittered(after, random)',
    ],
  'few refunds fail or are told twice: test/job/rules/refund-request.test.ts, test/job/rules/told-moves.test.ts, test/job/rules/record-money-back.test.ts':
    [
      "src/job/rules/money-back.ts: binary-expr, arm 1: : { ...refund, state: 'failed', error: failure.error ?? refund.error, checkAt: null }",
      "src/job/rules/money-back.ts: binary-expr, arm 2: : { ...refund, state: 'failed', error: failure.error ?? refund.error, checkAt: null }",
      'src/job/rules/money-back.ts: cond-expr, arm 1: ? refund',
      "src/job/rules/money-back.ts: cond-expr, arm 2: : { ...refund, state: 'failed', error: failure.error ?? refund.error, checkAt: null }",
      'src/job/rules/money-back.ts: if, arm 1: if (failure) {',
      'src/job/rules/refund-request.ts: binary-expr, arm 2: const reference = answer.reference ?? refund.reference',
      'src/job/rules/refund-request.ts: cond-expr, arm 1: now >= refund.at + LONGEST_CHECKS ? null : nextRefundCheckAt(refund.checks + 1, now, random)',
      "src/job/rules/refund-request.ts: cond-expr, arm 1: return refund.state === 'failed' ? refund : failed(refund, answer.message)",
      "src/job/rules/refund-request.ts: cond-expr, arm 2: if (known) return known.fingerprint === wanted.fingerprint ? ok(job) : refuse({ is: 'other-refund' })",
      'src/job/rules/refund-request.ts: if, arm 1: if (isSettled(refund)) return refund',
      'src/job/refund-payment.ts: cond-expr, arm 2: : null',
      "src/job/refund-payment.ts: if, arm 1: if (!payment) return { is: 'unknown' }",
      "src/job/refund-refusals.ts: switch, arm 5: case 'other-refund':",
    ],
  'few other payments of a job change, and nobody pays them: test/job/rules/other-payments.test.ts, test/job/other-accounts.test.ts':
    [
      "src/job/rules/other-payments.ts: cond-expr, arm 1: const status = total >= job.order.amount ? 'SUCCESS' : 'PENDING'",
      "src/job/rules/other-payments.ts: cond-expr, arm 2: const status = total >= job.order.amount ? 'SUCCESS' : 'PENDING'",
      'src/job/rules/other-payments.ts: binary-expr, arm 2: otherPayments: (job.otherPayments ?? []).map((other) => (isSame(other, place) ? change(other) : other)),',
      'src/job/rules/other-payments.ts: binary-expr, arm 2: return (job.otherPayments ?? [])',
      "src/job/rules/other-payments.ts: binary-expr, arm 3: const isOver = isFinal(answer.status) && (answer.closed ?? answer.status === 'SUCCESS')",
      'src/job/rules/other-payments.ts: cond-expr, arm 2: otherPayments: (job.otherPayments ?? []).map((other) => (isSame(other, place) ? change(other) : other)),',
      "src/job/rules/other-payments.ts: if, arm 1: if (answer.is !== 'observed') return changeOther(job, place, () => ({ ...other, reference }))",
      "src/job/rules/other-payments.ts: if, arm 1: if (found.is === 'none') return changeOther(job, place, () => ({ ...other, at: null }))",
      'src/job/rules/other-payments.ts: if, arm 1: if (isKnown) return changeOther(job, place, () => ({ ...other, at: null }))',
      "src/job/rules/pull.ts: binary-expr, arm 1: if (isFinal(job.status)) return job.status !== 'SUCCESS' || paidElsewhere(job) > 0",
      "src/job/rules/pull.ts: binary-expr, arm 2: if (isFinal(job.status)) return job.status !== 'SUCCESS' || paidElsewhere(job) > 0",
      "src/job/rules/pull.ts: if, arm 1: if (isFinal(job.status)) return job.status !== 'SUCCESS' || paidElsewhere(job) > 0",
      "src/job/look-at-other.ts: switch, arm 2: case 'refused':",
    ],
  'few captures are not answered: test/job/faults.test.ts, test/job/rules/pull.test.ts': [
    'src/job/rules/pull.ts: cond-expr, arm 1: const job = reserved ? recordPull(before, action, reserved, now) : before',
    "src/job/ask-psp.ts: binary-expr, arm 2: const isSilent = captured.is === 'unavailable' && !captured.accountRefused",
    'src/job/ask-psp.ts: cond-expr, arm 1: return { answer: captured, stopped: false, ...(isSilent ? { reserved: answer } : {}) }',
  ],
  'a job is purged by its alarm or by the sweep, at rest: test/job/retention.test.ts, test/job/tombstone.test.ts':
    [
      'src/job/rules/timers.ts: binary-expr, arm 1: if (isPurgeDue(job, retention, now)) return set !== null && set > now && set <= wake ? set : wake',
      'src/job/rules/timers.ts: binary-expr, arm 2: if (isPurgeDue(job, retention, now)) return set !== null && set > now && set <= wake ? set : wake',
      'src/job/rules/timers.ts: binary-expr, arm 3: if (isPurgeDue(job, retention, now)) return set !== null && set > now && set <= wake ? set : wake',
      'src/job/rules/timers.ts: cond-expr, arm 1: if (isPurgeDue(job, retention, now)) return set !== null && set > now && set <= wake ? set : wake',
      'src/job/rules/timers.ts: cond-expr, arm 2: if (isPurgeDue(job, retention, now)) return set !== null && set > now && set <= wake ? set : wake',
      'src/job/rules/timers.ts: if, arm 1: if (isPurgeDue(job, retention, now)) return set !== null && set > now && set <= wake ? set : wake',
      'src/job/payment-job.ts: if, arm 1: if (!job) return endTombstone(this.ctx.storage, Date.now())',
      "src/job/payment-job.ts: if, arm 1: if (isPurged) throw new Error('the job of this id was purged')",
      'src/job/purge-job.ts: if, arm 1: if (!isTaken) return storage.setAlarm(Date.now() + HOUR)',
      'src/job/purge-job.ts: if, arm 1: if (read() !== before || isPulled()) return storage.setAlarm(Date.now() + MINUTE)',
    ],
  'few calls of objects fail twice, and nobody asks for what is no id: test/job/call-job.test.ts': [
    "src/job/call-job.ts: binary-expr, arm 2: !('overloaded' in error && error.overloaded === true)",
    'src/job/call-job.ts: cond-expr, arm 1: return id === null ? null : callJob(env, id, (stub) => stub.read())',
  ],
}
