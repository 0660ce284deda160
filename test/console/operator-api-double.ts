import type { OperatorApi } from '../../src/console/plumbing/api.ts'
import { accountAnswers } from './answers/accounts.ts'
import { figureAnswers } from './answers/figures.ts'
import { healthAnswers } from './answers/health.ts'
import { operatorAnswers } from './answers/operators.ts'
import { onePaymentAnswer } from './answers/payment.ts'
import { paymentAnswers } from './answers/payments.ts'
import { posAnswers } from './answers/points-of-sale.ts'
import type { Answers, World } from './answers/world.ts'

/**
 * A double of the operator API for the console. It answers with samples of the contract and records the
 * requests. `answers` replaces an answer, by method and path; null makes the address unknown.
 */
export function operatorApiDouble({
  now = Date.now(),
  role = 'operator',
  answers = {},
  todo = 'send-report-again',
}: Partial<World> & { answers?: Answers } = {}) {
  const world: World = { now, role, todo }
  const asked: { method: string; path: string; search: string; headers: Headers; body: string }[] = []
  const all: Answers = { ...answersOf(world), ...answers }
  const ask: OperatorApi = async (request) => {
    const { pathname, search, searchParams } = new URL(request.url)
    const path = `${request.method} ${pathname.replace('/operator/v1', '')}`
    asked.push({
      method: request.method,
      path: pathname,
      search,
      headers: request.headers,
      body: await request.text(),
    })
    const of = (name: string) => all[`${path}?${name}=${searchParams.get(name)}`]
    const answer = of('by') ?? of('mode') ?? all[path]
    if (answer instanceof Response) return answer.clone()
    return answer === undefined || answer === null
      ? Response.json(
          {
            code: 'address-unknown',
            status: 404,
            title: 'Not found',
            detail: 'There is nothing at this address.',
          },
          { status: 404 },
        )
      : Response.json(answer)
  }
  return { ask, asked }
}

function answersOf(world: World): Answers {
  return {
    ...operatorAnswers(world),
    ...figureAnswers(world),
    ...healthAnswers(world),
    ...paymentAnswers(world),
    ...onePaymentAnswer(world),
    ...posAnswers(),
    ...accountAnswers(),
  }
}
