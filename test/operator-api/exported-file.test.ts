import { describe, expect, it, vi } from 'vitest'
import { exportBody } from '../../src/operator-api/exported-file.ts'
import { csvLine } from '../../src/platform/csv-line.ts'

/** Texts that record when their reader stops. */
function texts(all: (string | Error)[]) {
  const state = { made: 0, isEnded: false }
  const generate = async function* () {
    try {
      for (const text of all) {
        state.made += 1
        if (text instanceof Error) throw text
        yield text
      }
    } finally {
      state.isEnded = true
    }
  }
  return { state, generate }
}

describe('the body of an export', () => {
  it('has all texts, and makes each one after the reader took the previous one', async () => {
    const { state, generate } = texts(['a', '', 'b', 'c'])
    const reader = (await exportBody(generate())).getReader()
    const next = async () => new TextDecoder().decode((await reader.read()).value)
    expect(state.made).toBe(1)
    expect(await next()).toBe('a')
    expect(state.made).toBe(1)
    expect(await next()).toBe('b')
    expect(state.made).toBe(3)
    expect(await next()).toBe('c')
    expect((await reader.read()).done).toBe(true)
  })

  it('stops when its client has gone', async () => {
    const { state, generate } = texts(['a', 'b', 'c'])
    const body = await exportBody(generate())
    await body.cancel()
    expect(state).toEqual({ made: 1, isEnded: true })
  })

  it('does not begin if its first text fails, and breaks off if a later one does', async () => {
    await expect(exportBody(texts([new Error('D1 is down')]).generate())).rejects.toThrow('D1 is down')
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const body = await exportBody(texts(['a', new Error('D1 is down')]).generate())
    await expect(new Response(body).text()).rejects.toThrow('D1 is down')
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ event: 'export.broken-off' }))
    logged.mockRestore()
  })
})

it.each([
  [['a', null, 'b'], 'a,,b\r\n'],
  [['a,b', 'say "so"', 'two\r\nlines'], '"a,b","say ""so""","two\r\nlines"\r\n'],
  [['=1+1', '+1', '-1', '@x', '\tx', '\rx'], `'=1+1,'+1,'-1,'@x,'\tx,"'\rx"\r\n`],
  [['=HYPERLINK("x","y")'], `"'=HYPERLINK(""x"",""y"")"\r\n`],
  [['a;=1+1', 'a\t@x', 'a; =1', 'a;b', 'a;"=1', '\n=1'], `a;'=1+1,a\t'@x,a;' =1,a;b,"a;'""=1","'\n'=1"\r\n`],
  [
    ['\uff1d1', '\uff0b1', '\ufe631', '\uff20x', '\u22121'],
    "'\uff1d1,'\uff0b1,'\ufe631,'\uff20x,'\u22121\r\n",
  ],
  [
    [' =1', '\u00a0=1', '\ufeff=1', '\u200b=1', '\u200e\u3000=1'],
    `' =1,'\u00a0=1,'\ufeff=1,'\u200b=1,'\u200e\u3000=1\r\n`,
  ],
  [['a;\u200b=1', 'a\u2028=1'], `a;'\u200b=1,a\u2028'=1\r\n`],
  [['a=1', 'Ü €'], 'a=1,Ü €\r\n'],
  [['-12.50', '12.50', '-12.5.0'], `"-12.50","12.50",'-12.5.0\r\n`],
  [['00123', '1E5', '12-05', '1234567890123456'], '"00123","1E5","12-05","1234567890123456"\r\n'],
  [
    ['123', '0', '2026-10-05', '2026-10-05T10:00:00.000Z', '1-a'],
    '123,0,2026-10-05,2026-10-05T10:00:00.000Z,1-a\r\n',
  ],
])('a line of %j is %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line)
})

it('an amount is a number to a spreadsheet, even a negative one, with the decimal sign of its country', () => {
  const cells = [{ amount: '-12.50' }, { amount: '1500.00' }, { amount: '1.250' }, '12.50', '-12,50', null]
  expect(csvLine(cells)).toBe(`-12.50,1500.00,1.250,"12.50","'-12,50",\r\n`)
  // An order number that only looks like an amount stays unchanged, and a text.
  expect(csvLine(cells, ';')).toBe(`-12,50;1500,00;1,250;"12.50";'-12,50;\r\n`)
})

it('a line with semicolons quotes texts that contain one, and does not quote commas', () => {
  expect(csvLine(['a;b', 'a,b', '1,50'], ';')).toBe('"a;b";a,b;"1,50"\r\n')
})
