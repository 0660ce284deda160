import type { Job } from '../domain/job.ts'
import { type Seen, isWorthLooking, recordLook } from '../domain/look.ts'
import { pullSooner } from '../domain/transition.ts'
import { pullTurns } from './pull-turns.ts'
import type { Look, LookTurn } from './sync-with-psp.ts'

/** What looks need of a job's object: to read the job, and to change it. */
type Holder = {
  read: () => Job | null
  change: (decide: (job: Job, now: number) => Job) => Job | null
}

/** The looks at one job: each is a turn to ask the PSP, or is recorded with the answer that another one got. */
export const looksAt = ({ read, change }: Holder) => {
  const turns = pullTurns()
  const record = ({ reason }: Look, seen: Seen): Job | null =>
    change((job, now) => recordLook(job, reason, seen, now))
  const done = (job: Job | null, isAnswered: boolean): LookTurn | null =>
    job && { is: 'done', job, isAnswered }

  return {
    record,
    async begin(look: Look): Promise<LookTurn | null> {
      const job = read()
      if (!job) return null
      if (!isAbout(job, look) || !isWorthLooking(job, look.reason)) return done(job, true)
      const turn = await turns.take(look.reason)
      switch (turn.is) {
        case 'pull':
          return { is: 'pull', ticket: turn.ticket, job: read() ?? job }
        case 'reuse':
          return done(record(look, turn.seen), turn.seen.answer.is !== 'unavailable')
        case 'later':
          return done(
            change((current) => pullSooner(current, turn.at)),
            true,
          )
      }
    },
    end(ticket: number, look: Look, seen: Seen): Job | null {
      turns.finish(ticket, seen)
      return record(look, seen)
    },
  }
}

/** Whether a look is about the payment that a job has. One that names no payment is about any. */
export const isAbout = (job: Job, { about }: Look): boolean =>
  about === undefined ||
  (job.account === about.account &&
    job.announcement.is === 'announced' &&
    (about.reference === null || about.reference === job.announcement.reference))
