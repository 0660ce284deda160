import { expect, it } from 'vitest'
import { csvLine } from '../../src/operator-api/exported-file.ts'

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
  [['-12.50', '12.50', '-12.5.0'], `-12.50,12.50,'-12.5.0\r\n`],
])('a line of %j is %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line)
})

it('a line with semicolons quotes those of its texts, and no comma', () => {
  expect(csvLine(['a;b', 'a,b', '1,50'], ';')).toBe('"a;b";a,b;1,50\r\n')
})
