import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { pause } from '../client/pause.ts'
import {
  type AnswerFrame,
  type HubFrame,
  REPORT_HEADERS,
  type ReportFrame,
} from '../contract/report-frames.ts'
import { flag, option } from '../programs/program.ts'
import { UsageError, durationOf, quoted, wholeNumber } from '../programs/usage-error.ts'
import { type TestHub, KEY_FLAG, developersHub } from './test-hub.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { listenSocket } from './listen-socket.ts'
import { type Recorded, headLines, rowLine, rowOf } from './report-rows.ts'
import { certificateFault } from '../programs/unreachable.ts'
import { type View, printable, printableJson, printableText, viewOf } from '../programs/view.ts'

export const RECEIVER = 'http://localhost:3000/report'

export const listen = hubCommand({
  does: 'bring the reports of a point of sale in test mode to a receiver on this machine',
  example: `--forward ${RECEIVER}`,
  args: {
    forward: { ...option('URL', 'where reports go'), default: RECEIVER, read: readUrl },
    ...KEY_FLAG,
    drop: {
      ...option('N', 'lose the first N tries of each report'),
      default: '0',
      read: wholeNumber(0, 100),
    },
    delay: { ...option('TIME', 'each report comes so much later: 30s'), default: '0s', read: durationOf },
    double: flag('each report comes twice'),
    reorder: flag('a report comes after the one that follows it'),
    json: flag('print one JSON value a line for each try, and nothing else'),
  },
  run: async ({ forward: to, key, drop, delay, double = false, reorder = false, json = false }, utc) =>
    listenTo(
      await developersHub(key),
      to,
      { drop, delay, double, reorder },
      json,
      viewOf(process.stdout, utc),
    ),
})

export function readUrl(text: string, flagName: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new UsageError(`${flagName} must be an http or https URL, not ${quoted(text)}`)
}

async function listenTo(
  hub: TestHub,
  to: string,
  network: BadNetwork,
  json: boolean,
  view: View,
): Promise<never> {
  const say = (text: string): void => (json ? console.error : console.log)(printableText(text))
  const waiting = new Map<string, ReportFrame>()
  const print = (report: ReportFrame, recorded: Recorded): void => {
    waiting.delete(report.delivery)
    const row = rowOf(report, recorded, new Date())
    console.log(json ? printableJson(row) : rowLine(printable(row), view))
  }
  const note = (what: string, { headers, try: number }: ReportFrame): void =>
    say(`  try ${number} of ${headers['webhook-id']} ${what}`)
  const sayWhy = (error: unknown): void => {
    const fault = certificateFault(error)
    if (fault !== '') say(`  ${to} cannot be reached safely. ${fault}`)
  }
  const pass = badNetwork(network, (report) => forward(to, report, sayWhy), note)
  const take = (frame: Exclude<HubFrame, { type: 'ready' }>): void => {
    if (frame.type === 'report') {
      waiting.set(frame.delivery, frame)
      void pass(frame, socket.send)
      return
    }
    const report = waiting.get(frame.delivery)
    if (report) print(report, frame)
  }
  let isFirst = true
  const socket = listenSocket(hub, 'answers', {
    frame: take,
    connected: (pos) => {
      if (!isFirst) return say('Connected again.')
      isFirst = false
      say(`Reports of the point of sale ${pos} go to ${to}. Ctrl-C ends it.`)
      if (!json) console.log(headLines().join('\n'))
    },
    lost: () => {
      // The hub counts these tries as failed, and tries again.
      for (const report of waiting.values()) print(report, null)
      say('The hub has gone. Connecting again …')
    },
  })
  const end = (): void => {
    const left = waiting.size
    socket.close()
    if (left > 0) say(`${count(left, 'report has', 'reports have')} no answer yet: the hub tries again.`)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  const refused = await socket.ended
  if (refused !== null) console.error(refused)
  // A slow receiver, or a report that is held back, would keep this program alive.
  process.exit(refused === null ? 0 : 1)
}

/** How long (ms) the receiver may take: as long as the hub waits. */
export const DEADLINE = 15_000

/**
 * POSTs a report to the receiver, byte for byte, with the headers of reports only. Returns the answer for the
 * hub. Calls `lost` with the error of a connection.
 */
export async function forward(
  to: string,
  report: Pick<ReportFrame, 'delivery' | 'headers' | 'body'>,
  lost: (error: unknown) => void = () => {},
): Promise<AnswerFrame> {
  const { delivery } = report
  const deadline = AbortSignal.timeout(DEADLINE)
  try {
    const { status, retryAfter } = await post(to, report, deadline)
    return {
      type: 'answer',
      delivery,
      status,
      ...(retryAfter === undefined ? {} : { retryAfter: retryAfter.slice(0, 100) }),
    }
  } catch (error) {
    lost(error)
    const failed = deadline.aborted ? 'no answer in time' : 'no connection'
    return { type: 'answer', delivery, failed }
  }
}

/**
 * Sends without `fetch`, which would add headers (Accept-Language, Sec-Fetch-Mode …) that no report
 * of the hub has.
 */
function post(to: string, { headers, body }: Pick<ReportFrame, 'headers' | 'body'>, signal: AbortSignal) {
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    const bytes = Buffer.from(body)
    const url = new URL(to)
    const given = REPORT_HEADERS.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    )
    const sent = { ...Object.fromEntries(given), 'content-length': bytes.length }
    const options = { method: 'POST', headers: sent, signal }
    const request = url.protocol === 'https:' ? overHttps : overHttp
    request(url, options, (answer: IncomingMessage) => {
      resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] })
      // Only the status counts: the body is not read, and an answer that breaks off is an answer.
      answer.on('error', () => {}).destroy()
    })
      .on('error', reject)
      .end(bytes)
  })
}

/** The faults between hub and receiver. `drop` counts tries of each report, `delay` is in ms. */
type BadNetwork = { drop: number; delay: number; double: boolean; reorder: boolean }

const LONGEST_HOLD = 60_000

type Send = (report: ReportFrame) => Promise<AnswerFrame>
type SendAnswer = (answer: AnswerFrame) => void

/**
 * Forwards reports over a bad network: some tries are lost, late, doubled, or overtaken by a newer
 * report. A lost report gets no answer. A doubled one gets the answer to the first.
 */
function badNetwork(
  { drop, delay, double, reorder }: BadNetwork,
  send: Send,
  tell: (what: string, report: ReportFrame) => void,
) {
  let releaseHeld: (() => void) | null = null

  const pass = async (report: ReportFrame, answer: SendAnswer): Promise<void> => {
    if (delay > 0) await pause(delay)
    answer(await send(report))
    if (!double) return
    tell('comes a second time', report)
    await send(report)
  }

  /** Waits until another report has overtaken this one. */
  const hold = async (report: ReportFrame): Promise<void> => {
    tell('is held back until another one has passed it', report)
    const released = Promise.withResolvers<void>()
    const timer = setTimeout(released.resolve, LONGEST_HOLD)
    releaseHeld = released.resolve
    await released.promise
    clearTimeout(timer)
    if (releaseHeld === released.resolve) releaseHeld = null
  }

  return async (report: ReportFrame, answer: SendAnswer): Promise<void> => {
    if (report.try <= drop) return tell('is lost on the way', report)
    if (!reorder) return pass(report, answer)
    if (releaseHeld === null) {
      await hold(report)
      return pass(report, answer)
    }
    const release = releaseHeld
    releaseHeld = null
    await pass(report, answer)
    release()
  }
}
