import * as v from 'valibot'
import type { AnswerFrame } from '../contract/report-frames.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { VERSION } from '../platform/version.ts'
import { PROGRAM, Problem, isHere, noHubAt, reasonIn } from '../programs/chosen-hub.ts'
import { certificateFault } from '../programs/unreachable.ts'
import { tooOld } from './needed-node.ts'

/** A value of the environment, or what is wrong with it. */
export type Setting = { value: string } | { fault: string }

/** An answer of the hub. `asked` and `came` are the times (ms) of this clock. */
export type TimedAnswer = { status: number; headers: Headers; text: string; asked: number; came: number }

export type Facts = {
  node: string
  hub: string
  key: Setting
  secret: Setting
  /** The answers of the hub at its start page, to a listener with the key, and in v1; null without one. */
  home: TimedAnswer | null
  listening: TimedAnswer | null
  inV1: TimedAnswer | null
  /** The signature of `inV1` by the secret. */
  signature: string | null
  /** `isUsual`: nobody named it. `answer` is null if it was not tried, and `error` is that of its connection. */
  receiver: { url: string; answer: AnswerFrame | null; error?: unknown; isUsual?: boolean }
  /** Why the start page did not come. */
  homeError?: unknown
}

type Finding = { result: 'ok' | 'wrong' | 'not checked'; says: string }
const ok = (says: string): Finding => ({ result: 'ok', says })
const wrong = (says: string): Finding => ({ result: 'wrong', says })
const notChecked = (says: string): Finding => ({ result: 'not checked', says })

/** The word for a shop that is not there yet. */
export const NO_RECEIVER = 'none'

const NO_ANSWER = 'The hub did not answer.'

const Home = v.pipe(v.string(), v.parseJson(), v.object({ version: v.string() }))

/** Judges each setting by the facts. */
export const CHECKS: Readonly<Record<string, (facts: Facts) => Finding>> = {
  node: ({ node }) => {
    const fault = tooOld(node)
    return fault === null ? ok(`Node ${node}`) : wrong(fault)
  },
  hub: ({ home, homeError, hub }) => (home ? ok(`${hub} answers.`) : wrong(noHubAt(homeError, hub))),
  kit: ({ home, hub }) => {
    if (!home) return notChecked(NO_ANSWER)
    const read = v.safeParse(Home, home.text)
    if (!read.success) return notChecked('The hub does not say which release it is.')
    const { version } = read.output
    if (version === VERSION) return ok(`It is of the hub's release, ${VERSION}.`)
    return wrong(
      `It is of release ${VERSION}, and the hub of ${version}. Get the new one: curl -fsSO ${new URL(hub).origin}/kit.tgz, ` +
        'then tar -xzf kit.tgz or npm install ./kit.tgz, as you got this one.',
    )
  },
  clock: ({ home, hub }) => {
    if (!home) return notChecked(NO_ANSWER)
    const hubs = Date.parse(home.headers.get('date') ?? '')
    if (Number.isNaN(hubs)) {
      return isHere(hub) ? ok('The hub is on this machine.') : notChecked('The hub does not say its time.')
    }
    // The header leaves out fractions of a second (RFC 9110, section 5.6.7).
    const off = Math.max(home.asked - hubs - 1000, hubs - home.came)
    if (off <= MINUTE) return ok("It is within a minute of the hub's.")
    const way = hubs > home.came ? 'slow' : 'fast'
    return wrong(
      `It is ${Math.round(off / 1000)} s ${way}, so that reports look forged. Set it by a time server.`,
    )
  },
  key: ({ key, listening, inV1 }) => {
    if ('fault' in key) return wrong(key.fault)
    if (!listening) return notChecked(NO_ANSWER)
    const code = codeOf(listening)
    const dialect = inV1 && codeOf(inV1) === 'address-unknown' ? 'v2' : 'v1 and v2'
    if (code === 'upgrade-required')
      return ok(`It is of a point of sale in test mode, which speaks ${dialect}.`)
    if (code === 'test-mode-only') {
      return ok(
        `It is of a live point of sale, which speaks ${dialect}. The other commands need one in test mode.`,
      )
    }
    if (listening.status === 401) {
      return wrong(`${reasonIn(listening.text)} Is it of this hub? Its operator can make a new one.`)
    }
    return wrong(`The hub answered ${listening.status}: ${reasonIn(listening.text)}`)
  },
  secret: ({ secret, inV1, signature }) => {
    if ('fault' in secret) return wrong(secret.fault)
    const given = inV1?.headers.get('x-signature') ?? null
    if (given === null) return notChecked('The hub signs its answers only for a key that it knows.')
    return given === signature
      ? ok('The hub signs with it.')
      : wrong(
          'The hub signs with another one. Ask its operator for that of the point of sale that has the key.',
        )
  },
  receiver: ({ receiver: { url, answer, error, isUsual = false } }) => {
    if (url === NO_RECEIVER) return notChecked('You named none.')
    if (answer === null) return notChecked('It gets a signed report, which needs the signing secret.')
    if (!('status' in answer)) {
      const fault = certificateFault(error)
      if (fault !== '') return wrong(`${url} cannot be reached safely. ${fault}`)
      const none = `None answers at ${url}. Start your shop, or name its address: ${PROGRAM} doctor --receiver URL`
      return isUsual ? notChecked(none) : wrong(none)
    }
    if (answer.status >= 200 && answer.status < 300) return ok(`${url} takes a signed report.`)
    return wrong(
      `${url} answered ${answer.status} to a signed report of an order that it does not know, and the hub would send it ` +
        'again and again. Verify the body as it comes in, and answer 2xx.',
    )
  },
}

function codeOf({ text }: TimedAnswer): string | null {
  const read = v.safeParse(Problem, text)
  return read.success && typeof read.output['code'] === 'string' ? read.output['code'] : null
}
