import { command } from '../command.ts'
import { exportTo } from './export-to.ts'
import { queryOf, rangeOf } from './job-search.ts'
import { tellError } from './tell-error.ts'

export const auditExport = command({
  name: 'npx hub audit export',
  does: 'writes the audit log, an entry a line as JSON, oldest first: docs/verify-audit.py checks it',
  example: 'npx hub audit export --out audit.ndjson',
  args: {
    from: { type: 'string', valueHint: 'TIME', description: 'entries made at this time or later' },
    to: { type: 'string', valueHint: 'TIME', description: 'entries made before this time' },
    out: {
      type: 'string',
      valueHint: 'FILE',
      description: 'the file to write; standard output if not given',
    },
    json: { type: 'boolean', description: 'what it prints is JSON in any case; with it an error is too' },
    utc: { type: 'boolean', description: 'times are written in UTC; else in your zone' },
  },
  run: async ({ from, to, out, json = false, utc = false }) => {
    try {
      const query = queryOf(rangeOf({ from, to }, utc))
      await exportTo(process.env, `/audit/export?${query}`, out)
      return 0
    } catch (error) {
      return tellError(error, json)
    }
  },
})
