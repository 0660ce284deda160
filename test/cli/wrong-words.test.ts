import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runHub } from './run-hub.ts'

const asked = vi.fn<typeof fetch>()
beforeAll(() => {
  vi.stubGlobal('fetch', asked)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

it.each<[string, string]>([
  // Typos in commands, flags and values.
  ['pos creat', 'Did you mean create?'],
  ['reprot', 'Did you mean report?'],
  ['pos frob', 'unknown command'],
  ['constructor', 'unknown command'],
  ['help reprot', 'Did you mean report?'],
  ['help pos creat', 'Did you mean create?'],
  ['reprot list --help', 'Did you mean report?'],
  ['pos creat -h', 'Did you mean create?'],
  ['pos list --jsn', 'Did you mean --json?'],
  ['pos create --name x --sign-retrn', 'Did you mean --sign-return?'],
  ['pos list --limit 3', 'unknown option'],
  ['pos list --__proto__', 'unknown option'],
  ['psp add x --psp mollie --mode liv', 'Allowed choices are live, test'],
  ['audit list --action pos.rout', 'Did you mean pos.route?'],
  ['token create --name x --role suport', 'Did you mean support?'],
  ['stats --by mehtod', 'Did you mean method?'],
  ['stats --mode prod', 'Allowed choices are test, live.'],
  ['stats --method idael', 'Did you mean ideal?'],
  ['listen --key secret', 'Others on this machine can read a key among the arguments.'],
  ['trigger payd', 'Did you mean paid?'],
  ['login live', '--url <URL>'],
  ['login live --url http://hub.example.com', '--url must be an https URL'],
  ['login ../live --url https://hub.example.com', 'NAME must be of letters'],
  ['job list --method ideaal', 'Did you mean ideal?'],
  ['job export --method nope', 'There is no payment method "nope".'],
  ['job export --out src', 'src is a folder: name a file in it.'],
  ['backup --out package.json', 'package.json is a file: name a folder.'],
  ['books export --separator tab', 'Allowed choices are ,, ;.'],
  // Missing words.
  ['pos', 'npx hub pos needs one more word: create, list, update, disable'],
  ['--utc', 'npx hub needs one more word: pos, psp'],
  ['pos create', '--name <NAME>'],
  ['pos create --name', '--name <NAME>'],
  ['pos create --name --live', 'Its value is missing'],
  ['pos disable', 'id'],
  ['pos disable ', 'ID must not be empty'],
  ['pos route x', 'method'],
  ['pos route x *', 'Say what goes where: pos route POS METHOD ACCOUNT …'],
  ['pos route x * a --remove', 'Say what goes where: pos route POS METHOD ACCOUNT …'],
  ['job refund x', 'Say how much goes back: --amount 5.00, or --all'],
  ['job refund x --all --amount 5.00', 'Say how much goes back: --amount 5.00, or --all'],
  ['job refund x --all --refund-id nope', '--refund-id must be a UUID, not "nope"'],
  ['job refund x --all --key=', '--key must not be empty'],
  ['job refund x --all --key a --refund-id 7f3c0b1e-2d4a-4b5c-8d6e-9f0a1b2c3d4e', '--key or --refund-id'],
  ['job capture x --final', 'Say how much to capture: --amount 5.00, or --all'],
  ['job capture x --all --key a --capture-id 7f3c0b1e-2d4a-4b5c-8d6e-9f0a1b2c3d4e', '--key or --capture-id'],
  ['job announce', 'Say which: job announce ID, or job announce --account ID'],
  ['report resend', 'Say which: report resend ID, --pos SHOP, or --from 2026-01-31'],
  ['report resend --to 2026-01-31', 'Say which: report resend ID, --pos SHOP'],
  // Too many words.
  ['pos list all', 'all'],
  ['pos disable a b', 'b'],
  ['pos create --name x --name y', 'given twice'],
  ['report resend x --from 2026-01-31', 'Say which: report resend ID'],
  ['report resend x --pos y', 'Say which: report resend ID'],
  // Values outside the list of allowed ones.
  ['job list --amount 1.250', '--amount could be 1250 or 1.250'],
  ['job list --amount-from much', '--amount-from must be an amount'],
  [
    'job list --from noon',
    'A time is written 2026-01-31, 2026-01-31T10:00Z, 14:02, today, yesterday, now, or 30m, 2h, 3d ago, not "noon"',
  ],
  ['job list --from 2026-01-31 --to 2026-01-30', '--to "2026-01-30" is not after --from "2026-01-31"'],
  ['job export --from today --to yesterday --utc', '--to "yesterday" is not after --from "today"'],
  ['stats --from now --to 2h', '--to "2h" is not after --from "now"'],
  ['audit list --from 2026-01-31 --to 2026-01-30', '--to "2026-01-30" is not after --from "2026-01-31"'],
  ['report list --from 2026-01-31 --to 2026-01-30', '--to "2026-01-30" is not after --from "2026-01-31"'],
  ['report resend --from 2026-01-31 --to 2026-01-30', '--to "2026-01-30" is not after --from "2026-01-31"'],
  ['pos resecret x --overlap two', '--overlap must be a number, not "two"'],
  ['pos resecret x --overlap=', '--overlap must be a number, not ""'],
  ['pos resecret x --overlap=-1', '--overlap must be 0 or more, not "-1"'],
  ['index verify --from 2026-02-30', '--from must be a day, such as 2026-01-31, not "2026-02-30"'],
  ['index verify --from 5', '--from must be a day, such as 2026-01-31, not "5"'],
])('hub %s: one line on standard error, exit code 2, and no hub is asked', async (line, message) => {
  const { code, out, err } = await runHub(line.split(' '))
  expect({ code, out, lines: err.length }).toEqual({ code: 2, out: [], lines: 1 })
  expect(err[0]).toContain(message)
  expect(asked).not.toHaveBeenCalled()
})

it.each([
  '--json pos lst',
  'pos create --json',
  'pos list --limit 3 --json',
  'job list --from noon --json',
  'job export --format xls --json',
  'job export --format csv --json',
])('hub %s: the error is one JSON value on standard output as well', async (line) => {
  const { code, out, err } = await runHub(line.split(' '))
  expect({ code, lines: err.length }).toEqual({ code: 2, lines: 1 })
  expect(out.map((text): unknown => JSON.parse(text))).toEqual([{ error: err[0] }])
})

it.each(['two\nlines', 'two words', 'sléutel', ' '])(
  'hub whoami: a token %j that no header carries',
  async (token) => {
    vi.stubEnv('HUB_URL', 'https://hub.shop-payments.com')
    vi.stubEnv('OPERATOR_TOKEN', token)
    const { code, out, err } = await runHub(['whoami'])
    vi.unstubAllEnvs()
    expect({ code, out, lines: err.length }).toEqual({ code: 2, out: [], lines: 1 })
    expect(err[0]).toContain('The operator token must be one word')
    expect(asked).not.toHaveBeenCalled()
  },
)

it.each(['http://hub.shop-payments.com', 'HTTP://10.0.0.1:8787', 'http://localhost.shop.nl/'])(
  'sends no token over plain http: HUB_URL %s',
  async (url) => {
    vi.stubEnv('HUB_URL', url)
    vi.stubEnv('OPERATOR_TOKEN', 'token')
    const { code, out, err } = await runHub(['pos', 'list'])
    vi.unstubAllEnvs()
    expect({ code, out, lines: err.length }).toEqual({ code: 2, out: [], lines: 1 })
    expect(err[0]).toContain('HUB_URL must be an https URL')
    expect(asked).not.toHaveBeenCalled()
  },
)
