import type { AuditEntry, AuditList } from '../contract/audit.ts'
import { AUDIT_ACTIONS } from '../contract/operator-operations.ts'
import { group, option } from '../programs/program.ts'
import { UsageError, meant, quoted } from '../programs/usage-error.ts'
import { exportCommand } from './exports.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { queryFlags, queryOf } from './query-flags.ts'

const UNFINISHED = 'cut off or not recorded'

function valuesOf(values: AuditEntry['after']): string {
  return Object.entries(values ?? {})
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join('+') || '-' : String(value)}`)
    .join(', ')
}

function changeOf({ before, after }: AuditEntry): string {
  return [before, after].map(valuesOf).filter(Boolean).join(' → ')
}

/** Leaves out the `begun` entry of a finished change, because its second entry says more. */
function shownOf({ entries, unfinished }: AuditList): AuditEntry[] {
  return entries.filter(({ number, result }) => result !== 'begun' || unfinished.includes(number))
}

function hasGaps(shown: readonly AuditEntry[]): boolean {
  return shown.some(({ number }, place) => place > 0 && (shown[place - 1]?.number ?? 0) - number > 1)
}

const NOTHING = {
  by: 'No operator has changed anything as',
  subject: 'No operator has changed anything of',
} as const

/** Throws a UsageError for a name that no entry has. It lists the names of entries and shops. */
async function mustBeKnown(member: 'by' | 'subject', named: string | undefined): Promise<void> {
  if (named === undefined) return
  const { entries, next } = await ask('listAudit', { query: { [member]: named, limit: '1' } })
  // The id may name something that no operator has changed yet.
  if (entries.length > 0 || next !== null || /^[0-9a-f-]{32,36}$/.test(named)) return
  const [newest, { pointsOfSale }] = await Promise.all([
    ask('listAudit', { query: { limit: '200' } }),
    ask('listPointsOfSale'),
  ])
  const shops = member === 'subject' ? pointsOfSale.map(({ name }) => name) : []
  const known = [...shops, ...newest.entries.map((entry) => entry[member])]
  throw new UsageError(`${NOTHING[member]} ${quoted(named)}. ${meant(known, named)}`.trimEnd())
}

const list = hubCommand({
  does: 'list what operators changed, newest first',
  example: '--from 2026-01-31 --action pos.route',
  args: {
    ...queryFlags('listAudit', ['from', 'to', 'month', 'by', 'subject', 'limit', 'after']),
    action: {
      type: 'enum',
      options: AUDIT_ACTIONS,
      valueHint: 'ACTION',
      description: 'of this kind, such as pos.route',
    },
  },
  run: async (given, utc) => {
    const query = queryOf('listAudit', given, utc)
    const found = await ask('listAudit', { query })
    if (found.entries.length > 0 || found.next !== null) return found
    await mustBeKnown('by', query['by'])
    await mustBeKnown('subject', query['subject'])
    return found
  },
  show: (answer, view) => [
    view.list('No changes match.', shownOf(answer), [
      ['entry', 'number'],
      ['time', 'at'],
      'by',
      'action',
      'subject',
      ['result', ({ result }) => (result === 'begun' ? UNFINISHED : result)],
      ['change', changeOf],
    ]),
    hasGaps(shownOf(answer)) && [
      '',
      'Each change has two entries, one before it and one after: the list leaves out the first of a finished change.',
    ],
    answer.unreadable.length > 0 && [
      '',
      `Entries that cannot be read: ${answer.unreadable.join(', ')}. See audit verify.`,
    ],
    answer.next !== null && ['', `There are more: repeat the command with --after ${answer.next}`],
  ],
})

const verify = hubCommand({
  does: 'recompute the chain of the audit log, and compare it with the heads of its days',
  args: { after: { ...option('NUMBER', 'begin after this entry, not with the first'), default: '0' } },
  run: ({ after }) => addUp(askPages('verifyAudit', { query: { after } })),
  succeeds: ({ wrong }) => wrong === null,
})

const exported = exportCommand('exportAudit', {
  does: 'write the audit log, an entry a line as JSON, oldest first: docs/verify-audit.py checks it',
  example: '--out audit.ndjson',
})

export const audit = group('changes by operators', 'list', { list, verify, export: exported })
