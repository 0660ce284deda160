import { traceHead } from '../../src/platform/crypto/signing.ts'
import { describe, expect, it } from 'vitest'
import { traceLine } from '../../src/contract/payment-job.ts'
import { read } from './documents.ts'

type Step = Record<string, string>
type StillTells = (job: object, traceHead: string, secret: string) => boolean

/** The sample of the documents, as it stands there. */
const [sample = ''] = /```js\n([^`]*?MEMBERS[\s\S]*?)```/.exec(read('docs/pos/webhooks.md'))?.slice(1) ?? []
const { stillTells } = (await import(`data:text/javascript,${encodeURIComponent(sample)}`)) as {
  stillTells: StillTells
}

const SECRET = 's'.repeat(64)
const amounts = { amountDue: '0.00', amountPaid: '12.50' }
const STEPS: readonly Step[] = [
  {
    creationDate: '1',
    transactionId: 't',
    action: 'Start',
    status: 'PENDING',
    amountDue: '12.50',
    amountPaid: '0.00',
  },
  { creationDate: '2', action: 'Return', status: 'SUCCESS', stage: 'underway', ...amounts },
  { creationDate: '3', action: 'Refund', status: 'SUCCESS', ...amounts, amountRefunded: '5.00' },
  { creationDate: '4', action: 'Chargeback', status: 'SUCCESS', ...amounts, amountChargedBack: '2.00' },
]
function jobOf(steps: readonly Step[], id = 'j') {
  return { paymentJob: id, payments: { steps } }
}
function headOf(count: number) {
  return traceHead(SECRET, 'j', STEPS.slice(0, count).map(traceLine))
}

describe('the sample that checks a trace against a head which was kept', () => {
  it('finds what was told at the beginning of every later trace', async () => {
    for (let kept = 1; kept <= STEPS.length; kept++) {
      for (let now = kept; now <= STEPS.length; now++) {
        expect(stillTells(jobOf(STEPS.slice(0, now)), await headOf(kept), SECRET)).toBe(true)
      }
    }
  })

  it('finds a trace that was changed, cut, or made of another order', async () => {
    const head = await headOf(3)
    const changes: readonly (readonly Step[])[] = [
      STEPS.slice(0, 2),
      STEPS.slice(1),
      STEPS.toSpliced(1, 1),
      [STEPS[1] ?? {}, STEPS[0] ?? {}, ...STEPS.slice(2)],
      ...[
        'creationDate',
        'action',
        'status',
        'stage',
        'amountDue',
        'amountPaid',
        'amountRefunded',
        'amountChargedBack',
        'transactionId',
      ].map((name) => STEPS.map((step, place) => (place === 1 ? { ...step, [name]: 'x' } : step))),
    ]
    for (const steps of changes) expect(stillTells(jobOf(steps), head, SECRET)).toBe(false)
  })

  it('takes no head of another job, of another secret, or without its form', async () => {
    const head = await headOf(3)
    expect(stillTells(jobOf(STEPS, 'k'), head, SECRET)).toBe(false)
    expect(stillTells(jobOf(STEPS), head, 'another')).toBe(false)
    expect(stillTells(jobOf(STEPS), head.replace('steps=3', 'steps=2'), SECRET)).toBe(false)
    expect(stillTells(jobOf(STEPS), '', SECRET)).toBe(false)
  })
})
