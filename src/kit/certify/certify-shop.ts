import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Certificate,
  type Result,
  type SharedMistake,
  countOf,
  mostUrgentFirst,
  pageOf,
  sharedMistakes,
} from './certificate.ts'
import { certify } from './certify.ts'
import { SCENARIOS } from './scenarios.ts'
import type { Addresses } from './shop.ts'
import { flag, option, word } from '../../programs/program.ts'
import { UsageError, oneNamed, quoted, wholeNumber } from '../../programs/usage-error.ts'
import { KEY_FLAG, developersHub } from '../test-hub.ts'
import { hubCommand } from '../../programs/hub-command.ts'
import { writeOwnFile } from '../../programs/own-file.ts'
import { isYes } from '../../programs/prompt.ts'

export const certifyShop = hubCommand({
  does: 'play what can happen to a payment against a shop in test mode, and write a certificate',
  example: 'http://localhost:3000 --pay-url /pay --ci',
  args: {
    shop: word('the address of the shop; the addresses below may be paths of it'),
    'report-url': option('URL', 'where the shop takes reports; /report if not given'),
    'return-url': option('URL', 'where customers come back to; /thanks if not given'),
    'check-url': option('URL', 'where the shop says whether an order is paid; /check if not given'),
    'pay-url': option('URL', "where a customer of the shop pays: then the shop's own client is tried too"),
    port: {
      ...option('N', "with --pay-url: the port of this machine where the shop's client finds the hub"),
      default: '8788',
      read: wholeNumber(1, 65_535),
    },
    ask: flag('ask me at the terminal whether an order is paid, instead of --check-url'),
    ...KEY_FLAG,
    captures: flag(
      'play captures too; with --pay-url they are played if the shop orders with "capture": "manual"',
    ),
    terminals: flag('play card terminals too, for a till that orders with "terminal"'),
    only: { ...option('NAMES', 'play only these scenarios, with commas between'), read: readScenarios },
    out: { ...option('FOLDER', 'write certificate.json and certificate.html there'), default: '.' },
    ci: flag('print only what failed or was not played'),
    json: flag('print the certificate as one JSON value, and nothing else'),
  },
  run: async ({
    shop,
    key,
    captures = false,
    terminals = false,
    only,
    out,
    port,
    ask,
    ci,
    json,
    ...given
  }) => {
    const addresses = addressesOf(shop, given)
    const stop = new AbortController()
    const end = (): void => {
      console.error('Ending the payments that it made …')
      stop.abort()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
    const certificate = await certify({
      hub: await developersHub(key),
      addresses,
      only,
      captures,
      terminals,
      stop: stop.signal,
      askPerson: ask ? askPerson : null,
      secret: process.env['HUB_SIGNING_SECRET'] ?? '',
      port,
      tell: (result) => {
        if (!json && !ci) console.log(lineOf(result))
      },
    }).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
      console.error('They are ended. There is no certificate.')
      // A move that was cut off would keep this program alive.
      process.exit(130)
    })
    await mkdir(out, { recursive: true })
    await writeOwnFile(join(out, 'certificate.json'), `${JSON.stringify(certificate, null, 2)}\n`)
    const page = join(out, 'certificate.html')
    await writeOwnFile(page, pageOf(certificate))
    return { certificate, page, ci }
  },
  json: ({ certificate }) => certificate,
  show: ({ certificate, page, ci = false }) => [
    !ci && '',
    linesOf(certificate.scenarios),
    '',
    `${summaryOf(certificate)} See ${page}`,
  ],
  succeeds: ({ certificate }) => certificate.verdict !== 'failed' && countOf(certificate, 'passed') > 0,
})

type Name = 'report-url' | 'return-url' | 'check-url' | 'pay-url'
type Given = Readonly<Record<Name, string | undefined>>

function addressesOf(shop: string, given: Given): Addresses {
  const base = URL.parse(shop)
  if (!/^https?:$/.test(base?.protocol ?? '')) {
    throw new UsageError(`SHOP must be an http or https URL, not ${quoted(shop)}`)
  }
  const at = (name: Name, path: string | null): string | null => {
    const wanted = given[name] ?? path
    if (wanted === null) return null
    const url = URL.parse(wanted, shop)
    if (url && /^https?:$/.test(url.protocol)) return url.href
    throw new UsageError(`--${name} must be a URL or a path, not ${quoted(wanted)}`)
  }
  const pay = at('pay-url', null)
  return {
    pay,
    // The shop's own client says where its customers and reports go.
    report: at('report-url', pay === null ? '/report' : null),
    return: at('return-url', pay === null ? '/thanks' : null),
    check: at('check-url', '/check') ?? '',
  }
}

function readScenarios(names: string): string[] {
  const all = Object.keys(SCENARIOS)
  return names.split(',').map((name) => oneNamed('scenario', name, all, (one) => one))
}

function askPerson(orderNumber: string): Promise<boolean> {
  return isYes(`Does your shop call order ${orderNumber} paid?`)
}

function lineOf({ name, does, result }: Result): string {
  return `${result.padEnd(10)}  ${name.padEnd(18)}  ${does}`
}

const MARGIN = ' '.repeat(12)

/** Says what went wrong: first the mistakes that fail several scenarios, each once, then the others. */
function linesOf(results: readonly Result[]): string[] {
  const mistakes = sharedMistakes(results)
  const others = mostUrgentFirst(results).filter(
    ({ result, did }) => result !== 'passed' && !mistakes.some((mistake) => mistake.did === did),
  )
  const adviceOf = ({ should, names }: SharedMistake['advice'][number]) =>
    `${MARGIN}${should}\n${MARGIN}  ${names.join(', ')}`
  return [
    ...mistakes.map(({ did, failed, advice }) =>
      [`failed      ${failed} scenarios: ${did}`, ...advice.map(adviceOf)].join('\n'),
    ),
    ...others.map(
      (one) => `${lineOf(one)}\n${MARGIN}${one.did}${one.result === 'failed' ? ` ${one.should}` : ''}`,
    ),
  ]
}

function summaryOf(certificate: Certificate): string {
  const [passed, failed, rest] = (['passed', 'failed', 'not played'] as const).map((result) =>
    countOf(certificate, result),
  )
  return `${certificate.verdict}: ${passed} scenarios passed, ${failed} failed, ${rest} were not played.`
}
