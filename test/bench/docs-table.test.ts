import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSpeedTable } from './docs-table.ts'
import { compared } from './compared.ts'

const DOCUMENT = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'limits-and-cost.md'), 'utf8')
const RUN = { date: '2030-01-31', cores: 7 }

describe('the table of the document', () => {
  it('is replaced by that of a run, and nothing else is', () => {
    const written = withSpeedTable(DOCUMENT, [compared('read, one job', 'bare', 1.234)], RUN)
    expect(written).toContain('on 2030-01-31, on 7 cores')
    expect(written).toMatch(/\| read a job, [^|]*\| - \/ 1\.23 \/ - +\| - \/ - \/ - +\|/)
    expect(written.split('\n## ').length).toBe(DOCUMENT.split('\n## ').length)
    expect(written.split('\n## Cost')[1]).toBe(DOCUMENT.split('\n## Cost')[1])
    expect(withSpeedTable(written, [compared('read, one job', 'bare', 1.234)], RUN)).toBe(written)
  })

  it('has its place below its heading, or the run says so', () => {
    expect(() => withSpeedTable('# Limits\n', [], RUN)).toThrow('no table below "## Speed"')
  })
})
