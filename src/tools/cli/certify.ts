import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { HubError } from '../../client/client.ts'
import { type Certificate, type Result, countOf, pageOf } from '../certify/certificate.ts'
import { certify } from '../certify/certify.ts'
import { SCENARIOS } from '../certify/scenarios.ts'
import type { Addresses } from '../certify/shop.ts'
import { command, flag, option, word } from '../program.ts'
import { UsageError, notAmong, quoted, wholeNumber } from '../usage-error.ts'
import { KEY_FLAG, developersHub, noHubAt } from './chosen-hub.ts'

export const certifyShop = command({
  does: 'plays what can happen to a payment against a shop in test mode, and writes a certificate',
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
    },
    ask: flag('ask me at the terminal whether an order is paid, in place of --check-url'),
    ...KEY_FLAG,
    only: option('NAMES', 'play these scenarios alone, with commas between'),
    out: option('FOLDER', 'write certificate.json and certificate.html there; here if not given'),
    ci: flag('print what failed alone'),
    json: flag('print the certificate as one JSON value, and nothing else'),
  },
  run: async (given) => {
    const { shop, key, ci = false, json = false, ask = false, out = '.' } = given
    const addresses = addressesOf(shop, given)
    const hub = await developersHub(key)
    const only = given.only === undefined ? Object.keys(SCENARIOS) : scenariosOf(given.only)
    try {
      const certificate = await certify({
        hub,
        addresses,
        only,
        askPerson: ask ? askPerson : null,
        secret: process.env['HUB_SIGNING_SECRET'] ?? '',
        port: wholeNumber('--port', given.port, 1, 65_535),
        tell: (result) => {
          if (!json && !(ci && result.result === 'passed')) console.log(lineOf(result))
        },
      })
      await mkdir(out, { recursive: true })
      const text = JSON.stringify(certificate, null, 2)
      await writeFile(join(out, 'certificate.json'), `${text}\n`)
      await writeFile(join(out, 'certificate.html'), pageOf(certificate))
      console.log(json ? text : `\n${summaryOf(certificate)} See ${join(out, 'certificate.html')}`)
      return certificate.verdict === 'failed' || countOf(certificate, 'passed') === 0 ? 1 : 0
    } catch (error) {
      if (!(error instanceof Error) || error instanceof UsageError) throw error
      const isSilent = error instanceof HubError && error.status === null
      console.error(isSilent ? noHubAt(hub.url) : error.message)
      return 1
    }
  },
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

function scenariosOf(names: string): string[] {
  const all = Object.keys(SCENARIOS)
  return names.split(',').map((name) => {
    if (all.includes(name)) return name
    throw new UsageError(`There is no scenario ${quoted(name)}. ${notAmong(all, name)}`)
  })
}

async function askPerson(orderNumber: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`Does your shop call order ${orderNumber} paid? (yes/no) `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

function lineOf({ name, does, should, result, did }: Result): string {
  const line = `${result.padEnd(10)}  ${name.padEnd(18)}  ${does}`
  if (result === 'passed') return line
  return `${line}\n${' '.repeat(12)}${did}${result === 'failed' ? ` ${should}` : ''}`
}

function summaryOf(certificate: Certificate): string {
  const [passed, failed, rest] = (['passed', 'failed', 'not played'] as const).map((result) =>
    countOf(certificate, result),
  )
  return `${certificate.verdict}: ${passed} scenarios passed, ${failed} failed, ${rest} were not played.`
}
