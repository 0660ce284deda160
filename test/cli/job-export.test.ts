import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { listenAnywhere } from '../../src/programs/free-port.ts'
import { runHub } from './run-hub.ts'

const asked: string[] = []
/** A hub that sends a file in two parts. For shop 1 it breaks off between them. */
const hub = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://hub')
  asked.push(url.pathname + url.search)
  if (url.searchParams.get('status') === 'PAID') {
    response.statusCode = 422
    response.end(
      JSON.stringify({ title: '', status: 422, detail: 'status is wrong', error: '', field: 'status' }),
    )
    return
  }
  response.setHeader('content-type', 'text/csv; charset=utf-8')
  if (!url.pathname.includes('audit') && !url.searchParams.has('mode'))
    response.setHeader('export-mode', 'live')
  response.write('id,created\r\n')
  // The file of shop 2 never ends.
  if (url.searchParams.get('pos') === 'Shop 2') return
  if (url.searchParams.get('pos') === 'Shop 1') setTimeout(() => response.destroy(), 20)
  else response.end(LINES[url.searchParams.get('status') ?? ''] ?? '1,2\r\n')
})
const LINES: Readonly<Record<string, string>> = { EMPTY: '', QUOTED: '"a ""b""\r\nc",2\r\n3,4\r\n' }

const folder = mkdtempSync(join(tmpdir(), 'hub-export-'))
const file = join(folder, 'jobs.csv')
beforeAll(async () => {
  vi.stubEnv('HUB_URL', `http://127.0.0.1:${await listenAnywhere(hub)}`)
  vi.stubEnv('OPERATOR_TOKEN', 'token')
})
beforeEach(() => {
  asked.length = 0
  rmSync(file, { force: true })
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
  hub.closeAllConnections()
  hub.close()
})

describe('hub job export', () => {
  it('writes what the hub sends to a file', async () => {
    const flags = ['--status', 'failure', '--from', '2026-01-31', '--amount-from=9.95']
    expect(await runHub(['job', 'export', '--out', file, ...flags])).toMatchObject({ code: 0, out: [] })
    expect(readFileSync(file, 'utf8')).toBe('id,created\r\n1,2\r\n')
    expect(asked).toEqual([
      '/operator/v1/jobs/export?format=csv&status=FAILURE&amount_from=9.95&from=2026-01-31T00%3A00%3A00.000Z',
    ])
  })

  it.each([
    [
      'job export',
      ['--month', '2026-10', '--separator', ';'],
      'jobs/export?format=csv&separator=semicolon&month=2026-10',
    ],
    ['job export-movements', ['--mode', 'live', '--json'], 'movements/export?format=ndjson&mode=live'],
    ['audit export', ['--month', '2026-10'], 'audit/export?month=2026-10'],
    [
      'audit export',
      ['--from', '2026-01-31', '--to', '2026-01-31', '--utc'],
      'audit/export?from=2026-01-31T00%3A00%3A00.000Z&to=2026-02-01T00%3A00%3A00.000Z',
    ],
  ])('%s %j asks for what the operator API takes', async (name, flags, path) => {
    expect((await runHub([...name.split(' '), ...flags, '--out', file])).code).toBe(0)
    expect(asked).toEqual([`/operator/v1/${path}`])
  })

  it.each([
    [[], '1 payment job written', ['--mode test', '--mode all']],
    [['--mode', 'live', '--pos', 'Shop 3'], '1 payment job written', ['--mode', '--pos']],
    [['--mode', 'all', '--status', 'empty'], '0 payment jobs written', ['--mode', '--status']],
    // A line break within quotes does not end a line.
    [['--mode', 'all', '--status', 'quoted'], '2 payment jobs written', ['--mode', '--status']],
  ])('%j says how many it wrote, and what it left out', async (flags, written, without) => {
    const { err } = await runHub(['job', 'export', '--out', file, ...flags])
    expect(err).toEqual([expect.stringContaining(`${written} to ${file}`)])
    for (const name of without) expect(err[0]).toContain(name)
  })

  it('says nothing of what is left out where nothing is', async () => {
    const { err } = await runHub(['audit', 'export', '--out', file])
    expect(err).toEqual([`1 entry written to ${file}.`])
  })

  it('writes over a file in a script only on wish, and over nothing that is no file', async () => {
    writeFileSync(file, 'old')
    for (const name of ['job export', 'job export-movements', 'audit export']) {
      const { code, err } = await runHub([...name.split(' '), '--out', file])
      expect([code, err]).toEqual([2, [expect.stringContaining('--yes')]])
    }
    expect((await runHub(['job', 'export', '--out', '/dev/null', '--yes'])).code).toBe(2)
    expect([readFileSync(file, 'utf8'), asked]).toEqual(['old', []])
  })

  it('writes a file that only its owner can read, also over one that others could', async () => {
    for (const mode of [0o644, 0o600]) {
      writeFileSync(file, 'old')
      chmodSync(file, mode)
      expect((await runHub(['job', 'export', '--out', file, '--yes'])).code).toBe(0)
      expect(readFileSync(file, 'utf8')).toContain('1,2')
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    }
  })

  it('says that the folder is not there, and ends with 2', async () => {
    const { code, err } = await runHub(['job', 'export', '--out', join(folder, 'none', 'jobs.csv')])
    expect([code, err]).toEqual([2, [expect.stringContaining(`There is no folder ${join(folder, 'none')}`)]])
    expect(asked).toEqual([])
  })

  it('writes to standard output if no file is named', async () => {
    let written = ''
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((part, ...rest) => {
      written += Buffer.from(part).toString()
      rest.findLast((last) => typeof last === 'function')?.()
      return true
    })
    const { code } = await runHub(['job', 'export', '--json'])
    out.mockRestore()
    expect([code, written]).toEqual([0, 'id,created\r\n1,2\r\n'])
    expect(asked).toEqual(['/operator/v1/jobs/export?format=ndjson'])
  })

  it('leaves no file of an interrupted export, and reports it, with --json as JSON', async () => {
    const { code, out, err } = await runHub(['job', 'export', '--pos', 'Shop 1', '--out', file, '--json'])
    expect([code, err]).toEqual([1, [expect.stringContaining('not complete')]])
    expect(out.map((line): unknown => JSON.parse(line))).toEqual([{ error: err[0] }])
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves no file when the operator stops it with Ctrl-C, and says so', async () => {
    const running = runHub(['job', 'export', '--pos', 'Shop 2', '--out', file])
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual(['jobs.csv.part']))
    process.emit('SIGINT')
    const { code, err } = await running
    expect([code, err]).toEqual([1, [`Stopped: ${file} was not written.`]])
    expect(readdirSync(folder)).toEqual([])
  })

  it('shows what the hub refuses, and writes nothing', async () => {
    const words = ['job', 'export', '--status', 'paid', '--out', file]
    const { code, out, err } = await runHub(words)
    // The hub refuses a word of the command, so the exit code is the one for wrong words.
    expect([code, out, err]).toEqual([2, [], [expect.stringContaining('status is wrong')]])
    const asJson = await runHub([...words, '--json'])
    expect(asJson.out.map((line): unknown => JSON.parse(line))).toEqual([
      { error: err[0], problem: expect.objectContaining({ status: 422, field: 'status' }) },
    ])
    expect(readdirSync(folder)).toEqual([])
  })
})
