import type { Status } from '../contract/values.ts'
import type { Observed, SeenStage } from './answer.ts'
import { DAY } from '../contract/timestamp.ts'

/**
 * What a PSP's word means. Each adapter has a table of all its words. `open`: the customer may act.
 * `underway`: the customer has acted, and money is coming. `authorized`: money is reserved.
 * `closed`: nobody can pay it any more; an end that is not closed may still be followed by money.
 */
export type Meaning =
  | { is: 'open' | 'underway' | 'authorized' | 'paid' }
  | { is: 'ended'; status: Exclude<Status, 'PENDING' | 'SUCCESS'>; closed: boolean }

export const OPEN = { is: 'open' } as const satisfies Meaning
export const UNDERWAY = { is: 'underway' } as const satisfies Meaning
export const AUTHORIZED = { is: 'authorized' } as const satisfies Meaning
export const PAID = { is: 'paid' } as const satisfies Meaning

/** An end that is final for good. */
export function closedAs(status: 'FAILURE' | 'CANCELLED' | 'EXPIRED'): Meaning {
  return {
    is: 'ended',
    status,
    closed: true,
  }
}

/** An end that money may still follow. */
export function endedAs(status: 'FAILURE' | 'CANCELLED' | 'EXPIRED'): Meaning {
  return {
    is: 'ended',
    status,
    closed: false,
  }
}

/** How many days the PSP says that a payment method may take, by the PSP's name of the method. */
export type PatienceTable = { methods: ReadonlyMap<string, number>; otherwise: number; authorized: number }

/**
 * What a meaning says of status and stage. `method` is the one that the customer chose, null where
 * that is unknown.
 */
export function standingOf(
  meaning: Meaning,
  patience: PatienceTable,
  method: string | null,
): Pick<Observed, 'status' | 'stage' | 'closed'> {
  switch (meaning.is) {
    case 'paid':
      return { status: 'SUCCESS' }
    case 'ended':
      return { status: meaning.status, closed: meaning.closed }
    case 'open':
    case 'underway':
    case 'authorized':
      return { status: 'PENDING', stage: stageOf(meaning.is, patience, method) }
  }
}

function stageOf(
  is: SeenStage['is'],
  { methods, otherwise, authorized }: PatienceTable,
  method: string | null,
): SeenStage {
  switch (is) {
    case 'open':
      return { is }
    case 'underway':
      return { is, patience: (methods.get(method ?? '') ?? otherwise) * DAY }
    case 'authorized':
      return { is, patience: authorized * DAY }
  }
}
