import type { Built } from '../e2e/built-hub.ts'
import { type Stage, hurry, onStage, pause } from './stage.ts'
import type { Counts } from './worker/counts.ts'

/** What one part of a payment used. */
export type Scene = { name: string; counts: Counts; notes: string[] }

/** The scenes of one payment, and the bytes that its object holds in the end. */
export type Played = { scenes: Scene[]; bytes: number }

/**
 * The course of a payment: paid, with the customer back before the notification or after it, or never paid.
 */
type Ending = 'paid' | 'notified first' | 'abandoned'

/** Starts waiting for a job, with these headers. The result ends once the till knows that the job is paid. */
export type OpenTill = (
  read: (headers: Record<string, string>) => Promise<Response>,
) => Promise<() => Promise<void>>

/** Plays the scenes of a payment, from its token and its create on. */
async function beginPayment(stage: Stage, order: object = {}) {
  const scenes: Scene[] = []
  /** Runs a part of the payment, and what follows from it, until all of it is counted. */
  const scene = async <Result>(
    name: string,
    run: () => Promise<Result>,
    rest: () => Promise<void> = async () => {},
  ): Promise<Result> => {
    const result = await run()
    await rest()
    scenes.push({ name, ...(await stage.take()) })
    return result
  }
  await stage.take()
  const token = await scene('token', () => stage.newToken(stage.pos))
  const job = await scene('create', () => stage.newJob(token, order), stage.settle)

  /** Lets the customer pay and return before the PSP notifies, or after. */
  const complete = async (first: 'return' | 'notification'): Promise<void> => {
    const notify = await stage.paid(job)
    const comeBack = () => stage.comeBack(job)
    if (first === 'return') {
      await scene('return and report', comeBack, stage.settle)
      await scene('notification', notify, stage.settle)
    } else {
      await scene('notification and report', notify, stage.settle)
      await scene('return', comeBack, stage.settle)
    }
  }
  return { scenes, scene, token, job, complete }
}

/**
 * Runs a job's alarms early until none is left, each after the queues are empty: an alarm that checks a
 * report comes half a minute later.
 */
async function ringToTheEnd(stage: Stage, job: string): Promise<void> {
  for (let { alarmAt } = await stage.look(job); alarmAt !== null; { alarmAt } = await stage.look(job)) {
    await stage.ask(`/meter/ring?job=${job}`)
    await stage.settle()
  }
}

/** Plays a payment of another point of sale first, which does what a day or an isolate needs only once. */
async function warmUp(stage: Stage): Promise<void> {
  await stage.ask('/meter/notified')
  await hurry(stage, await stage.newToken(stage.other))
  await stage.settle()
}

/** Plays one payment on a separate hub, from its token to its purge. */
export function playAlone(built: Built, ending: Ending): Promise<Played> {
  return onStage(built, async (stage) => {
    await warmUp(stage)
    const { scenes, scene, token, job, complete } = await beginPayment(stage)
    await scene('pay', () => stage.pay(job))
    if (ending !== 'abandoned') await complete(ending === 'paid' ? 'return' : 'notification')
    await scene('read', () => stage.read(token, job))
    await scene('alarms', () => ringToTheEnd(stage, job), stage.settle)
    const { bytes } = await stage.look(job)
    const forget = () => stage.ask(`/meter/sweep?job=${job}`)
    await scene('forgetting, after the retention time', forget, stage.settle)
    return { scenes, bytes }
  })
}

/** How long (ms) after a question a notification prompts no other question about a payment at a terminal. */
const ASKED_AGAIN = 2500

/**
 * Plays one payment at a terminal. The customer takes so long that the hub asks once, and the PSP notifies
 * the hub when the card has paid.
 */
export function playAtTerminal(built: Built): Promise<Played> {
  return onStage(built, async (stage) => {
    await warmUp(stage)
    const { scenes, scene, token, job } = await beginPayment(stage, {
      terminal: 'default',
      payment_method: 'terminal',
    })
    await scene('waiting for the card', () => stage.ask(`/meter/ring?job=${job}`), stage.settle)
    await pause(ASKED_AGAIN)
    await scene('notification and report', await stage.paid(job), stage.settle)
    await scene('read', () => stage.read(token, job))
    await scene('alarms', () => ringToTheEnd(stage, job), stage.settle)
    return { scenes, bytes: (await stage.look(job)).bytes }
  })
}

/** Plays one payment on a separate hub, which takes a number of seconds while a till waits for it. */
export function playWatched(built: Built, seconds: number, openTill: OpenTill): Promise<Scene[]> {
  return onStage(built, async (stage) => {
    await warmUp(stage)
    const { scenes, scene, token, job, complete } = await beginPayment(stage)
    const open = () => openTill((headers) => stage.read(token, job, headers))
    const heard = await scene('watching', open, () => pause(seconds * 1000))
    await complete('return')
    await scene('hearing of it', heard)
    return scenes
  })
}
