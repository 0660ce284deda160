import { waitUntil } from 'cloudflare:workers'
import type { Job } from './rules/job.ts'
import { announceAgain } from './announce-again.ts'
import type { AnnounceTurn } from './announce-turns.ts'
import { callJob } from './call-job.ts'

/**
 * Announces a job because its customer has come, unless that is under way or was tried just now; how the job stands after
 * that. It goes on when the customer has gone. Null for an unknown id.
 */
export function announceNow(env: Env, id: string): Promise<Job | null> {
  const announced = announceInTurn(env, id, crypto.randomUUID())
  waitUntil(announced.catch(() => {}))
  return announced
}

async function announceInTurn(env: Env, id: string, call: string): Promise<Job | null> {
  const turn = await callJob<AnnounceTurn | null>(env, id, async (stub) =>
    stub.beginAnnouncement({ id: call, cause: 'visit' }),
  )
  if (turn?.is !== 'announce') return turn && turn.job
  const answer = await announceAgain(env, turn.job)
  return callJob(env, id, (stub) => stub.announced(answer, call))
}
