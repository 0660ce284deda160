import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { command } from '../command.ts'
import { UsageError } from '../usage-error.ts'
import { instantOf } from './instant.ts'
import { exportOf } from './operator-api.ts'

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
    json: { type: 'boolean', description: 'what it prints is JSON in any case' },
  },
  run: async ({ from, to, out }) => {
    const query = new URLSearchParams({
      ...(from ? { from: instantOf(from) } : {}),
      ...(to ? { to: instantOf(to) } : {}),
    })
    try {
      const lines = await exportOf(process.env, `/audit/export?${query}`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- two declarations of one thing
      const stream = Readable.fromWeb(lines as ReadableStream)
      await (out
        ? pipeline(stream, createWriteStream(out))
        : pipeline(stream, process.stdout, { end: false }))
      return 0
    } catch (error) {
      if (error instanceof UsageError || !(error instanceof Error)) throw error
      console.error(error.message === 'terminated' ? 'The export was cut off: try again.' : error.message)
      return 1
    }
  },
})
