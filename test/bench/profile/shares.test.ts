import { describe, expect, it } from 'vitest'
import { partsOfBundle, sharesOf } from './shares.ts'

function node(id: number, functionName: string, url: string, lineNumber: number, children: number[] = []) {
  return {
    id,
    callFrame: { functionName, url, lineNumber },
    children,
  }
}

describe('the parts of a bundle', () => {
  it('are the folders of ours and the packages of others, by the headings that esbuild writes', () => {
    const bundle = [
      '// node_modules/valibot/dist/index.mjs',
      'function parse() {}',
      '// node_modules/@scope/name/index.js',
      '// src/registry/tokens.ts',
      'const a = 1',
      '// src/job/rules/why/why.ts',
      '// src/platform/log.ts',
    ].join('\n')
    expect(partsOfBundle(bundle)).toEqual([
      'valibot',
      'valibot',
      '@scope/name',
      'src/registry',
      'src/registry',
      'src/job',
      'src/platform',
    ])
  })
})

describe('the shares of a profile', () => {
  const partOf = (url: string, line: number) => (url === 'index.js' ? (line < 10 ? 'http' : 'domain') : null)

  it('give each part its own time, and the time of the platform to who called it', () => {
    const profile = {
      nodes: [
        node(1, '(root)', '', -1, [2, 6, 7]),
        node(2, 'serve', 'index.js', 3, [3, 5]),
        node(3, 'decide', 'index.js', 20, [4]),
        node(4, 'put', '', -1),
        node(5, 'put', '', -1),
        node(6, '(idle)', '', -1),
        node(7, '(garbage collector)', '', -1),
      ],
      samples: [2, 3, 4, 5, 6, 7, 4],
      timeDeltas: [10, 20, 5, 1, 1000, 3, 5],
    }
    expect(sharesOf(profile, partOf)).toEqual([
      { part: 'domain', micros: 30, platform: { put: 10 } },
      { part: 'http', micros: 11, platform: { put: 1 } },
      { part: 'the garbage collector', micros: 3, platform: {} },
    ])
  })
})
