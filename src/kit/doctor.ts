import type { PaymentJob } from '../contract/payment-job.ts'
import { isoSecond } from '../contract/timestamp.ts'
import { bodySignature } from '../platform/crypto/signing.ts'
import { chosenHub, hubUrl } from '../programs/chosen-hub.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { option } from '../programs/program.ts'
import { UsageError } from '../programs/usage-error.ts'
import { signedBy } from './certify/moves.ts'
import { type TimedAnswer, type Facts, type Setting, CHECKS, NO_RECEIVER } from './doctor-checks.ts'
import { RECEIVER, forward, readUrl } from './listen.ts'
import { signingSecretOf } from './signing-secret.ts'
import { KEY_FLAG, developersHub } from './test-hub.ts'

export const doctor = hubCommand({
  does: 'check key, secret, receiver and clock, and say what to do about each that is wrong',
  example: `--receiver ${RECEIVER}`,
  args: {
    receiver: {
      ...option(
        'URL',
        `your receiver of reports; it gets one for an order that it does not know. ${RECEIVER} if not given`,
      ),
      read: (text: string, name: string) => (text === NO_RECEIVER ? text : readUrl(text, name)),
    },
    ...KEY_FLAG,
  },
  run: async ({ receiver, key }) => {
    const facts = await factsOf(receiver, key)
    return Object.entries(CHECKS).map(([check, judge]) => {
      const { result, says } = judge(facts)
      return { check, result, says }
    })
  },
  show: (checks) =>
    checks.map(({ check, result, says }) => `${result.padEnd(11)}  ${check.padEnd(8)}  ${says}`),
  succeeds: (checks) => checks.every(({ result }) => result !== 'wrong'),
})

async function factsOf(given: string | undefined, givenKey: string | undefined): Promise<Facts> {
  const hub = hubUrl(chosenHub(process.env).url, 'the API key')
  const key = await settingOf(async () => (await developersHub(givenKey)).key)
  const secret = await settingOf(() => signingSecretOf())
  let homeError: unknown
  const home = await ask(hub, '/', { accept: 'application/json' }, (error) => (homeError = error))
  const withKey = (path: string) =>
    home && 'value' in key ? ask(hub, path, { authorization: `Bearer ${key.value}` }) : null
  const [listening, inV1] = [
    await withKey('/v2/reports/listen?as=watches'),
    await withKey('/api/v1/paymentjobs/none'),
  ]
  const signature = inV1 && 'value' in secret ? await bodySignature(secret.value, inV1.text) : null
  const url = given ?? RECEIVER
  let error: unknown
  const answer =
    'value' in secret && url !== NO_RECEIVER
      ? await forward(url, await sampleReport(hub, url, secret.value), (lost) => (error = lost))
      : null
  const receiver = { url, answer, error, isUsual: given === undefined }
  const { node } = process.versions
  return { node, hub, key, secret, home, homeError, listening, inV1, signature, receiver }
}

async function settingOf(read: () => Promise<string>): Promise<Setting> {
  try {
    return { value: await read() }
  } catch (error) {
    if (error instanceof UsageError) return { fault: error.message }
    throw error
  }
}

const PATIENCE = 10_000

async function ask(
  hub: string,
  path: string,
  headers: Record<string, string>,
  lost: (error: unknown) => void = () => {},
): Promise<TimedAnswer | null> {
  const asked = Date.now()
  try {
    const signal = AbortSignal.timeout(PATIENCE)
    const response = await fetch(new URL(path, hub), { headers, redirect: 'manual', signal })
    const came = Date.now()
    return { status: response.status, headers: response.headers, text: await response.text(), asked, came }
  } catch (error) {
    lost(error)
    return null
  }
}

/** A signed report that asks nothing of the shop: nobody has paid yet. */
async function sampleReport(hub: string, reportUrl: string, secret: string) {
  const [at, paymentJob] = [isoSecond(Date.now()), crypto.randomUUID()]
  const open = { status: 'PENDING', amountDue: '12.50', amountPaid: '0.00' } as const
  const job: PaymentJob = {
    paymentJob,
    orderId: '1',
    orderNumber: `DOCTOR-${paymentJob.slice(0, 8)}`,
    created: at,
    lastUpdate: at,
    language: 'en',
    currency: 'EUR',
    ...open,
    paymentMethod: 'ideal',
    payUrl: new URL(`/pay/${paymentJob}`, hub).href,
    attributes: { returnUrl: reportUrl, reportUrl },
    payments: { creationDate: at, ...open, steps: [{ creationDate: at, action: 'Start', ...open }] },
    error: null,
  }
  const body = JSON.stringify(job)
  return { delivery: '', headers: await signedBy(secret, `msg_${paymentJob}_1`, Date.now(), body), body }
}
