import { type Answers, HOSTILE, POS, type World, agoOf, answersTo } from './world.ts'

/** The caller, the operators' tokens, and the audit log. */
export function operatorAnswers({ now, role }: World): Answers {
  const ago = agoOf(now)
  const anna = 'Anna de Vries'
  const entry = (number: number, action: string, result: string, more: object = {}) => ({
    number,
    at: ago(number * 3),
    by: anna,
    role: 'operator',
    via: 'access',
    action,
    subject: POS.de,
    result,
    of: result === 'begun' ? null : number - 1,
    before: null,
    after: null,
    ...more,
  })
  const before = { ideal: ['mollie-nl'] }
  const after = { ideal: ['mollie-nl', 'stripe-eu'] }
  return answersTo({
    'GET /me': {
      name: role === 'viewer' ? 'Noor (viewer)' : anna,
      role,
      via: 'session',
      until: ago(-480),
    },
    'GET /audit': {
      unreadable: [],
      unfinished: [],
      entries: [
        entry(412, 'pos.route', 'done', { before, after }),
        entry(411, 'pos.route', 'begun'),
        entry(410, 'job.refund', 'refused', { by: HOSTILE }),
        entry(409, 'psp.rekey', 'failed'),
      ],
    },
    'GET /audit/verify': { entries: 412, unfinished: [], wrong: null, head: { number: 412 } },
    'GET /tokens': {
      tokens: [
        { id: 't1', name: 'CI of the shop', revoked: null, expires: ago(-60), used: 'today' },
        { id: 't2', name: HOSTILE, role: 'operator', revoked: 'yesterday', expires: null, used: null },
      ],
    },
  })
}
