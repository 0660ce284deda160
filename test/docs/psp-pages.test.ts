import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EVENTS } from '../../src/psp/adyen/notification.ts'
import type { Meaning } from '../../src/psp/answer.ts'
import { ASSUMED_REQUESTS } from '../../src/psp/port.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { SAMPLES } from '../psp/samples.ts'
import { codesOf, read, rowsUnder } from './documents.ts'

const MEANS = { open: 'open', underway: 'under way', authorized: 'authorized', paid: 'paid' } as const

function rowOf(word: string, meaning: Meaning): string[] {
  return meaning.is === 'ended'
    ? [word, meaning.status, meaning.closed ? 'yes' : 'no']
    : [word, MEANS[meaning.is], '–']
}

describe.each(Object.entries(SAMPLES))('the page of %s in docs/psps', (psp, { adapter, words = {} }) => {
  const page = read(`docs/psps/${psp}.md`)
  const { name, credentials, requestsPerSecond, reserves } = adapter
  const facts = new Map(rowsUnder(`\n${page}`, `# ${name}`).map(([what = '', fact = '']) => [what, fact]))

  it('names each credential', () => {
    const named = codesOf(`${facts.get('credentials')} ${facts.get('payouts')}`)
    expect(named).toEqual(expect.arrayContaining(Object.keys(credentials.entries)))
  })

  it('says how many requests the hub sends, and whether that is assumed', () => {
    const { live, test } = requestsPerSecond ?? ASSUMED_REQUESTS
    const source = requestsPerSecond ? ', by [' : '; assumed'
    expect(facts.get('requests')).toContain(`${live} a second, ${test} in test mode${source}`)
  })

  it('says how long money is reserved by each method, and in how many captures', () => {
    const days = rowsUnder(page, '## Reserved money').flatMap(([methods = '', ...cells]) => {
      const held = cells.find((cell) => /^\d+ days$/.test(cell))
      return codesOf(methods).map((method) => [method, Number.parseInt(held ?? '', 10)] as const)
    })
    expect(new Map(days)).toEqual(reserves.days)
    expect(page).toContain(reserves.captures === 'several' ? '**Several captures' : '**One capture')
  })

  it.each(Object.entries(words))(
    'says under %s what each word means, and whether it is final',
    (heading, table) => {
      const documented = rowsUnder(page, heading).map(([word = '', means = '', final = '']) => [
        codesOf(word)[0] ?? '',
        // The general meaning of a word comes before the exceptions.
        means.split(/[,;]/)[0],
        final,
      ])
      expect(documented).toEqual(Object.entries(table).map(([word, meaning]) => rowOf(word, meaning)))
    },
  )
})

it('docs/psps has every event of Adyen that the hub counts', () => {
  const documented = rowsUnder(read('docs/psps/adyen.md'), '## Events').map(([event = '', success = '']) => [
    codesOf(event)[0],
    success,
  ])
  const known = [...EVENTS].flatMap(([event, outcomes]) =>
    (['true', 'false'] as const)
      .filter((success) => outcomes[success] !== undefined)
      .map((success) => [event, success]),
  )
  expect(documented).toEqual(known)
})

describe('docs/psps/add-a-psp.md', () => {
  const PSPS = Object.keys(SAMPLES)
  const isOwn = (path: string) => PSPS.some((psp) => path.includes(psp))
  const named = (path: string) => PSPS.filter((psp) => read(path).toLowerCase().includes(psp))

  it('names every file that names three PSPs or more, but those of one PSP and old recordings', () => {
    const files = ['src', 'test', 'docs'].flatMap((folder) =>
      readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.gz'))
        .map((entry) => relative(PROJECT, join(entry.parentPath, entry.name)).replaceAll(sep, '/')),
    )
    const found = files.filter(
      (path) => !isOwn(path) && !path.startsWith('test/stored/') && named(path).length >= 3,
    )
    const [, section = ''] = read('docs/psps/add-a-psp.md').split('## Files that name several PSPs')
    const listed = codesOf(section.split('\n## ')[0] ?? '').filter((code) =>
      /^(src|test|docs)\/.*\.\w+$/.test(code),
    )
    expect(listed.toSorted()).toEqual(found.toSorted())
  })
})
