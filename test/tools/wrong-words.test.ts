import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runHub } from './run-hub.ts'

const asked = vi.fn<typeof fetch>()
beforeAll(() => {
  vi.stubGlobal('fetch', asked)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const HELP = 'See npx hub'

it.each<[string, string]>([
  // Typos in commands.
  ['pos creat', 'There is no command "pos creat". Did you mean "pos create"?'],
  ['pos lsit', 'There is no command "pos lsit". Did you mean "pos list"?'],
  ['po create', 'There is no command "po create". Did you mean "pos create"?'],
  ['pos lst', 'There is no command "pos lst". Did you mean "pos list"?'],
  ['reprot', 'There is no command "reprot". Did you mean "report"?'],
  ['pos creat --help', 'There is no command "pos creat". Did you mean "pos create"?'],
  [
    'pos frob',
    'There is no command "pos frob". There are create, list, update, disable, enable, rekey, revoke, resecret, route',
  ],
  [
    'frob',
    'There is no command "frob". There are pos, psp, keys, job, report, index, audit, retention, alert, settings, status, token, whoami, stats, listen, trigger.',
  ],
  ['constructor', 'There is no command "constructor".'],
  ['pos toString', 'There is no command "pos toString".'],
  // Words missing.
  ['pos', 'npx hub pos needs one more word: create, list, update, disable'],
  ['--utc', 'npx hub needs one more word: pos, psp'],
  ['pos create', 'npx hub pos create needs --name NAME. For example: npx hub pos create --name "Shop 1"'],
  ['pos create --name', 'npx hub pos create needs a value after --name: --name NAME'],
  ['pos create --name --live', 'npx hub pos create needs a value after --name: --name NAME'],
  ['pos create --name -- x', 'npx hub pos create needs a value after --name: --name NAME'],
  ['pos disable', 'npx hub pos disable needs ID. For example: npx hub pos disable 0f3a'],
  ['pos disable ', 'npx hub pos disable needs ID.'],
  ['pos route x', 'npx hub pos route needs METHOD.'],
  ['pos route x *', 'Say what goes where: pos route POS METHOD ACCOUNT …'],
  ['pos route x * a --remove', 'Say what goes where: pos route POS METHOD ACCOUNT …'],
  [
    'psp add x --psp mollie',
    'npx hub psp add needs --mode live|test. For example: npx hub psp add shop-mollie',
  ],
  ['report resend', 'Say which: report resend ID, or report resend --from 2026-01-31'],
  // Words too many.
  ['pos list all', `npx hub pos list takes no word "all". ${HELP} pos list --help`],
  ['pos list json', 'npx hub pos list takes no word "json". Did you mean "--json"?'],
  ['pos disable a b', 'npx hub pos disable takes no word "b".'],
  ['pos list -- --json', 'npx hub pos list takes no word "--json". Did you mean "--json"?'],
  ['report resend x --from 2026-01-31', 'Say which: report resend ID, or report resend --from 2026-01-31'],
  // Flags that are not there, or not so.
  ['pos create --nam x', 'npx hub pos create has no flag "--nam". Did you mean "--name"?'],
  ['pos create --name x --sign', 'npx hub pos create has no flag "--sign". Did you mean "--sign-return"?'],
  ['pos create --name x --signReturn', 'has no flag "--signReturn". Did you mean "--sign-return"?'],
  ['pos create --name x -live', 'has no flag "-live". Did you mean "--live"?'],
  ['pos create --name x --no-live', 'has no flag "--no-live". Did you mean "--live"?'],
  ['pos create --name x --live=false', 'npx hub pos create takes --live without a value'],
  ['pos create --name x --name y', 'npx hub pos create takes --name only once'],
  ['pos list --limit 3', `npx hub pos list has no flag "--limit". ${HELP} pos list --help`],
  ['pos list --__proto__', 'npx hub pos list has no flag "--__proto__".'],
  ['pos disable -5', 'has no flag "-5". Words that begin with a dash come after "--".'],
  // Values that are none of those there are.
  ['pos update x', 'Say what to change: pos update ID --name NAME, or --sign-return on or off.'],
  ['pos update x --sign-return true', '--sign-return is on or off, not "true".'],
  ['psp add x --psp mollie --mode liv', '--mode is live or test, not "liv". Did you mean "live"?'],
  ['psp add x --psp mollie --mode=both', '--mode is live or test, not "both".'],
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
  ['pos resecret x --overlap two', '--overlap must be a number of hours, such as 48, not "two"'],
  ['pos resecret x --overlap=', '--overlap must be a number of hours, such as 48, not ""'],
  ['pos resecret x --overlap=-1', '--overlap must be a number of hours, such as 48, not "-1"'],
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
])('hub %s: the error is one JSON value on standard output as well', async (line) => {
  const { code, out, err } = await runHub(line.split(' '))
  expect({ code, lines: err.length }).toEqual({ code: 2, lines: 1 })
  expect(out.map((text): unknown => JSON.parse(text))).toEqual([{ error: err[0] }])
})

it('shows a word with a line break on one line', async () => {
  expect((await runHub(['pos', 'list', 'a\nb'])).err).toEqual([expect.stringContaining(String.raw`"a\nb"`)])
})

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
