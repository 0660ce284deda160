import type { AuditEntry } from '../../../src/contract/audit.ts'
import type { Me } from '../../../src/contract/operators.ts'
import { agoOf, type Answers, HOSTILE, POS, type World } from './world.ts'

/** The visitor, the operators' tokens, and the audit log. */
export function operatorAnswers({ now, role }: World): Answers {
  const ago = agoOf(now)
  const me: Me = {
    name: role === 'viewer' ? 'Noor (viewer)' : 'Anna de Vries',
    role,
    via: 'session',
    until: ago(-480),
  }
  const entry = (
    number: number,
    action: string,
    result: AuditEntry['result'],
    more: object = {},
  ): AuditEntry => ({
    number,
    at: ago(number * 3),
    by: 'Anna de Vries',
    role: 'operator',
    via: 'access',
    token: '',
    action,
    subject: POS.de,
    result,
    of: result === 'begun' ? null : number - 1,
    request: 'r',
    before: null,
    after: null,
    previous: 'ab'.repeat(32),
    hash: 'cd'.repeat(32),
    ...more,
  })
  return {
    'GET /me': me,
    'GET /audit': {
      unreadable: [],
      unfinished: [],
      entries: [
        entry(412, 'pos.route', 'done', {
          before: { ideal: ['mollie-nl'] },
          after: { ideal: ['mollie-nl', 'stripe-eu'] },
        }),
        entry(411, 'pos.route', 'begun'),
        entry(410, 'job.refund', 'refused', { by: HOSTILE }),
        entry(409, 'psp.rekey', 'failed'),
      ],
      next: null,
    },
    'GET /audit/verify': {
      entries: 412,
      wrong: null,
      head: { number: 412, hash: 'cd'.repeat(32) },
      next: null,
    },
    'GET /tokens': {
      tokens: [
        {
          id: 't1',
          name: 'CI of the shop',
          role: 'viewer',
          created: ago(5000),
          createdBy: 'Anna de Vries',
          revoked: null,
          used: ago(60),
        },
        {
          id: 't2',
          name: HOSTILE,
          role: 'operator',
          created: ago(9000),
          createdBy: 'OPERATOR_TOKEN',
          revoked: ago(3),
          used: null,
        },
      ],
    },
  }
}
