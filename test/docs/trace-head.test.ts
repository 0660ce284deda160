import { traceHead } from '../../src/job/trace-head.ts'
import { describe, expect, it } from 'vitest'
import { traceLine } from '../../src/contract/payment-job.ts'
import { read } from './documents.ts'

type Step = Record<string, string>
type StillHasSteps = (job: object, traceHead: string, secret: string) => boolean

/** The sample from the documents, unchanged. */
const [sample = ''] = /```js\n([^`]*?MEMBERS[\s\S]*?)```/.exec(read('docs/pos/webhooks.md'))?.slice(1) ?? []
const { stillHasSteps } = (await import(`data:text/javascript,${encodeURIComponent(sample)}`)) as {
  stillHasSteps: StillHasSteps
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
  { creationDate: '5', action: 'Capture', status: 'PENDING', ...amounts, amountAuthorized: '50.00' },
  { creationDate: '6', action: 'Release', status: 'SUCCESS', ...amounts, amountReleased: '30.00' },
]
function jobOf(steps: readonly Step[], id = 'j') {
  return { paymentJob: id, payments: { steps } }
}
function headOf(count: number) {
  return traceHead(SECRET, 'j', STEPS.slice(0, count).map(traceLine))
}

it('a step without reserved money has the same line as in 1.0', () => {
  expect(STEPS.slice(0, 4).map(traceLine)).toEqual([
    '1|t|Start|PENDING||12.50|0.00||',
    '2||Return|SUCCESS|underway|0.00|12.50||',
    '3||Refund|SUCCESS||0.00|12.50|5.00|',
    '4||Chargeback|SUCCESS||0.00|12.50||2.00',
  ])
})

it('nobody can mistake reserved for released money: each has its name in the line', () => {
  const step = { creationDate: '5', action: 'Capture', status: 'PENDING', ...amounts }
  const lines = [{}, { amountAuthorized: '5.00' }, { amountReleased: '5.00' }].map((more) =>
    traceLine({ ...step, ...more }),
  )
  expect(new Set(lines).size).toBe(3)
})

describe('the sample that checks a trace against a kept head', () => {
  it('finds the kept steps at the start of every later trace', async () => {
    for (let kept = 1; kept <= STEPS.length; kept++) {
      for (let now = kept; now <= STEPS.length; now++) {
        expect(stillHasSteps(jobOf(STEPS.slice(0, now)), await headOf(kept), SECRET)).toBe(true)
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
        'amountAuthorized',
        'amountReleased',
        'transactionId',
      ].map((name) => STEPS.map((step, place) => (place === 1 ? { ...step, [name]: 'x' } : step))),
    ]
    for (const steps of changes) expect(stillHasSteps(jobOf(steps), head, SECRET)).toBe(false)
  })

  it('refuses a head of another job, of another secret, or of another form', async () => {
    const head = await headOf(3)
    expect(stillHasSteps(jobOf(STEPS, 'k'), head, SECRET)).toBe(false)
    expect(stillHasSteps(jobOf(STEPS), head, 'another')).toBe(false)
    expect(stillHasSteps(jobOf(STEPS), head.replace('steps=3', 'steps=2'), SECRET)).toBe(false)
    expect(stillHasSteps(jobOf(STEPS), '', SECRET)).toBe(false)
  })
})
