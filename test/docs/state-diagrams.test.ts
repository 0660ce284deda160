import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/contract/timestamp.ts'
import type { Status } from '../../src/contract/values.ts'
import { evolve } from '../../src/job/core/evolve.ts'
import type { Fact, FactOf } from '../../src/job/core/facts.ts'
import { readEntry } from '../../src/job/core/journal.ts'
import type { State } from '../../src/job/core/state.ts'
import type { Observation, MoneyMove } from '../../src/psp/answer.ts'
import { corpus } from '../rehearsal/corpus.ts'
import { AMOUNT, NOW, ORDER, SILENT, TOOK, WHERE, birthOf } from '../support/jobs/played-job.ts'
import { blocksOf, read } from './documents.ts'

/**
 * Compares the diagrams of docs/architecture.md and docs/core.md with the code by playing every fact on every state, and what
 * 1.0 stored as well. The diagrams must have exactly the edges that facts lead along.
 */

const [STANDINGS = ''] = blocksOf(read('docs/architecture.md'), 'mermaid')
const [INSTRUCTIONS = ''] = blocksOf(read('docs/core.md'), 'mermaid')

/**
 * Facts that lead the same way as others: a stop brings an answer, and only 1.0 wrote two facts of refunds.
 */
const SAME: Record<string, string> = {
  stopped: 'seen',
  'refund-asked': 'instructed',
  'refund-answered': 'instruction-answered',
}

/**
 * Returns the edges of a diagram, a line for each fact. An edge from a group leads from each of its members.
 */
function drawn(diagram: string): string[] {
  const groups = Array.from(
    diagram.matchAll(/^ *state (\w+) \{\n([^}]*)\}/gm),
    ([, name = '', inside = '']) => {
      const [, first = ''] = /\[\*\] --> (\w+)/.exec(inside) ?? []
      return { name, first, members: [...new Set(inside.match(/\b\w+(?= -->)/g))] }
    },
  )
  const groupOf = (name: string) => groups.find((group) => group.name === name)
  return diagram.split('\n').flatMap((line) => {
    const [, from = '', to = '', facts] = /^ *(\S+) --> (\S+): (.+)$/.exec(line) ?? []
    const target = groupOf(to)?.first ?? to
    return (groupOf(from)?.members ?? [from]).flatMap(
      (source) => facts?.split(', ').map((fact) => `${source} --> ${target}: ${fact}`) ?? [],
    )
  })
}

/** Returns the name of a state in the diagrams. */
type Named = Record<string, string>

function standingOf(state: State | null): Named {
  if (!state) return { job: '[*]' }
  return { job: state.standing.is === 'ended' ? state.standing.as : state.standing.is }
}

function instructionsIn(state: State | null): Named {
  return Object.fromEntries(state ? state.instructions.map((one) => [one.id, one.state]) : [])
}

/** Where a fact leads, from each name that it changes. */
function ways(before: Named, after: Named, fact: Fact['is']): string[] {
  return Object.entries(after)
    .map(([id, name]) => [before[id] ?? '[*]', name] as const)
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${from} --> ${to}: ${SAME[fact] ?? fact}`)
}

type Edges = { standings: Set<string>; instructions: Set<string> }

/** Plays a fact, and notes where it leads. */
function play(edges: Edges, before: State | null, fact: Fact, at: number): State {
  const number = (before?.entry.number ?? 0) + 1
  const after = evolve(before, { number, at, facts: [fact] })
  for (const way of ways(standingOf(before), standingOf(after), fact.is)) edges.standings.add(way)
  for (const way of ways(instructionsIn(before), instructionsIn(after), fact.is)) edges.instructions.add(way)
  return after
}

const STAGES: Observation['stage'][] = [
  undefined,
  { is: 'open' },
  { is: 'underway', patience: DAY },
  { is: 'authorized', patience: DAY },
]

/** Every answer of a PSP about a payment. */
function answers(): Observation[] {
  const bare = { paid: 0, expiresAt: null }
  const ends: Status[] = ['FAILURE', 'CANCELLED', 'EXPIRED']
  return [
    ...STAGES.map((stage): Observation => ({ status: 'PENDING', ...bare, ...(stage ? { stage } : {}) })),
    ...ends.map((status): Observation => ({ status, ...bare, closed: true })),
    { status: 'SUCCESS', ...bare, paid: AMOUNT },
    ...STAGES.flatMap((stage) =>
      [0, 500].map((paid): Observation => ({
        status: 'PENDING',
        ...bare,
        ...(stage ? { stage } : {}),
        authorized: AMOUNT,
        paid,
      })),
    ),
    { status: 'CANCELLED', ...bare, authorized: AMOUNT, released: AMOUNT },
    { status: 'SUCCESS', ...bare, authorized: AMOUNT, paid: 500, released: AMOUNT - 500 },
  ]
}

const ABOUT = { ...WHERE, asked: NOW }
const TERMINAL = { id: 'term_1', account: WHERE.account }

/** Every fact, in each form that matters to a state. */
function everyFact(): Fact[] {
  const attempted = (outcome: FactOf<'attempted'>['outcome']): Fact => ({
    is: 'attempted',
    account: 'mollie',
    asked: NOW,
    ms: 1,
    outcome,
  })
  const notified = (move: Omit<MoneyMove, 'id'>): Fact => ({
    is: 'notified',
    came: NOW,
    ...WHERE,
    moves: [{ id: JSON.stringify(move), ...move }],
  })
  const wanted = { fingerprint: '', call: '', description: '', ...WHERE }
  const ids = { capture: 'c', release: 'l', refund: 'r' } as const
  const kinds = ['capture', 'release', 'refund'] as const
  const amounts = { capture: 500, release: AMOUNT, refund: 100 }
  const outcomes: FactOf<'instruction-answered'>['outcome'][] = [
    { is: 'taken', reference: null },
    { is: 'done', reference: null },
    { is: 'failed', message: '' },
    { is: 'not-yet', message: '' },
    { is: 'no-answer', message: '' },
  ]
  return [
    attempted(TOOK),
    attempted({ is: 'took', reference: WHERE.reference, terminal: TERMINAL.id, expiresAt: null }),
    attempted({ is: 'refused', message: '' }),
    attempted(SILENT),
    { is: 'returned' },
    { is: 'expired' },
    { is: 'cancel-asked', by: 'shop' },
    ...answers().map((answer): Fact => ({ is: 'seen', ...ABOUT, answer })),
    ...answers().map((answer): Fact => ({ is: 'stopped', ...ABOUT, why: 'cancel', answer })),
    ...answers().map((answer): Fact => ({ is: 'stopped', ...ABOUT, why: 'expiry', answer })),
    ...(['pending', 'done', 'failed'] as const).map((state): Fact => {
      const refund = [{ id: 're', own: 'r', amount: 100, state }]
      const answer = { status: 'SUCCESS', expiresAt: null, paid: AMOUNT, transfers: { refund } } as const
      return { is: 'seen', ...ABOUT, answer }
    }),
    { is: 'unanswered', ...ABOUT, how: 'silent', message: '' },
    ...kinds.map((kind): Fact => ({
      is: 'instructed',
      kind,
      id: ids[kind],
      amount: amounts[kind],
      ...wanted,
    })),
    ...kinds.flatMap((kind) =>
      outcomes.map((outcome): Fact => ({ is: 'instruction-answered', id: ids[kind], asked: NOW, outcome })),
    ),
    notified({ kind: 'capture', amount: AMOUNT }),
    notified({ kind: 'refund', amount: AMOUNT, cancelled: true }),
    notified({ kind: 'refund', amount: AMOUNT, cancelled: true, expired: true }),
    ...(['capture', 'capture-failed'] as const).map((kind) =>
      notified({ kind, amount: 500, instruction: 'c' }),
    ),
    ...(['refund', 'release-failed'] as const).map((kind) =>
      notified({ kind, amount: AMOUNT, cancelled: true, instruction: 'l' }),
    ),
    ...(['refund', 'refund-not-yet', 'refund-failed'] as const).map((kind) =>
      notified({ kind, amount: 100, refund: 'r' }),
    ),
    { is: 'report-asked' },
    { is: 'also-paid', job: 'other', paid: 1 },
    { is: 'cleared', amount: 1 },
    { is: 'row-written', entry: 1, digest: '' },
    { is: 'time-asked', to: 1 },
    { is: 'clock-moved', offset: 1 },
  ]
}

/** Returns the part of a state that decides where facts lead. */
function essenceOf(state: State): string {
  const { standing, cancel, order, payments } = state
  const money = payments.map(({ authorized, paid, released, refunded, lost, over, moves }) => [
    authorized,
    paid,
    released,
    refunded,
    lost,
    over,
    moves.map(({ id }) => id).toSorted(),
  ])
  const wanted = state.instructions.map(({ id, state: is, round, pspId }) => [id, is, round, pspId])
  return JSON.stringify([
    standingOf(state),
    'until' in standing,
    cancel !== null,
    order.capture,
    money,
    wanted,
  ])
}

/**
 * Returns whether a fact can happen: an account takes an order by its way to pay; an instruction starts once,
 * and again if its PSP waits; only then it has an outcome.
 */
function mayCome(state: State, fact: Fact): boolean {
  const isOf = (id: string) => state.instructions.find((one) => one.id === id)
  if (fact.is === 'attempted' && fact.outcome.is === 'took')
    return 'terminal' in fact.outcome === (state.order.terminal !== undefined)
  if (fact.is === 'instructed') return (isOf(fact.id)?.state ?? 'waiting') === 'waiting'
  if (fact.is !== 'notified') return true
  return (fact.moves ?? []).every(({ instruction, refund }) => {
    const named = instruction ?? refund
    return named === undefined || isOf(named) !== undefined
  })
}

/** The number of facts to play after a job's creation. */
const DEPTH = 5

/** Plays every fact on every state, for orders with automatic and manual capture, and for a terminal. */
function everyWay(): Edges {
  const edges: Edges = { standings: new Set(), instructions: new Set() }
  const facts = everyFact()
  for (const kind of [{}, { capture: 'manual' }, { terminal: TERMINAL }] as const) {
    const { created } = birthOf({ order: { ...ORDER, ipAddress: '', ...kind } })
    const known = new Set<string>()
    let states = [play(edges, null, created, NOW * 1000)]
    for (let depth = 1; depth <= DEPTH; depth++) {
      states = states.flatMap((state) =>
        facts.flatMap((fact) => {
          if (!mayCome(state, fact)) return []
          const after = play(edges, state, fact, state.entry.at + 1000)
          const essence = essenceOf(after)
          if (known.has(essence)) return []
          known.add(essence)
          return [after]
        }),
      )
    }
  }
  for (const { entries } of corpus()) {
    let state: State | null = null
    for (const [place, { value }] of entries.entries()) {
      const entry = readEntry(place + 1, value)
      if (entry.ok) for (const fact of entry.value.facts) state = play(edges, state, fact, entry.value.at)
    }
  }
  return edges
}

describe('the state machines', () => {
  const found = everyWay()

  it('has every transition of a job, and no other', () => {
    expect([...found.standings].toSorted()).toEqual(drawn(STANDINGS).toSorted())
  })

  it('has every transition of an instruction, and no other', () => {
    expect([...found.instructions].toSorted()).toEqual(drawn(INSTRUCTIONS).toSorted())
  })
})
