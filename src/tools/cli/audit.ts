import type { AuditEntry, AuditList, AuditVerified } from '../../operator-api/contract/audit.ts'
import { hubCommand } from './hub-command.ts'
import { ask, askPages } from './operator-api.ts'
import { rangeOf } from './search.ts'

const LIST_ARGS = {
  from: { type: 'string', valueHint: 'TIME', description: 'made at this time or later' },
  to: { type: 'string', valueHint: 'TIME', description: 'made before this time' },
  by: { type: 'string', valueHint: 'NAME', description: 'by this operator only' },
  action: { type: 'string', valueHint: 'ACTION', description: 'of this kind only, such as pos.route' },
  subject: { type: 'string', valueHint: 'ID', description: 'of this point of sale, account or job only' },
  limit: {
    type: 'string',
    valueHint: 'N',
    description: 'at most so many entries, up to 200; 50 if not given',
  },
  after: { type: 'string', valueHint: 'NUMBER', description: 'go on after the list before' },
} as const

export const UNFINISHED = 'cut off or not recorded'

/** Values as an operator reads them: `name Shop 1, signReturn true`. */
function valuesOf(values: AuditEntry['after']): string {
  return Object.entries(values ?? {})
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join('+') || '-' : String(value)}`)
    .join(', ')
}

function changeOf({ before, after }: AuditEntry): string {
  return [before, after].map(valuesOf).filter(Boolean).join(' → ')
}

/** The `begun` of a change whose end is there tells nothing more than the end. */
function shownOf({ entries, unfinished }: AuditList): AuditEntry[] {
  return entries.filter(({ number, result }) => result !== 'begun' || unfinished.includes(number))
}

export const auditList = hubCommand({
  name: 'audit list',
  does: 'lists what operators changed, newest first',
  example: 'audit list --from 2026-01-31 --action pos.route',
  args: LIST_ARGS,
  run: ({ from, to, by, action, subject, limit, after }, utc) =>
    ask('listAudit', { query: { ...rangeOf({ from, to }, utc), by, action, subject, limit, after } }),
  show: (answer, view) => {
    const shown = shownOf(answer)
    return [
      view.list(
        'There are no such changes.',
        ['entry', 'time', 'by', 'action', 'subject', 'result', 'change'],
        shown.map((entry) => [
          String(entry.number),
          view.time(entry.at),
          entry.by,
          entry.action,
          entry.subject,
          entry.result === 'begun' ? UNFINISHED : entry.result,
          changeOf(entry),
        ]),
      ),
      ...(answer.next === null ? [] : ['', `There are more: the same again with --after ${answer.next}`]),
    ].join('\n')
  },
})

type Outcome = Omit<AuditVerified, 'next'>

function allRight(entries: number, head: Outcome['head']): string {
  return entries === 0 || head === null
    ? 'There are no entries to check.'
    : `${entries === 1 ? 'The entry is' : `All ${entries} entries are`} what was written. The last is ${head.number}, ${head.hash}.`
}

export const auditVerify = hubCommand({
  name: 'audit verify',
  does: 'recomputes the chain of the audit log, and compares it with the heads of its days',
  example: 'audit verify',
  args: {
    after: { type: 'string', valueHint: 'NUMBER', description: 'begin after this entry, not with the first' },
  },
  run: async ({ after = '0' }): Promise<Outcome> => {
    const outcome: Outcome = { entries: 0, unfinished: [], wrong: null, head: null }
    for await (const page of askPages('verifyAudit', { query: { after } })) {
      outcome.entries += page.entries
      outcome.unfinished.push(...page.unfinished)
      outcome.wrong = page.wrong
      outcome.head = page.head
    }
    return outcome
  },
  succeeds: ({ wrong }) => wrong === null,
  show: ({ entries, unfinished, wrong, head }) =>
    [
      wrong === null
        ? allRight(entries, head)
        : `Entry ${wrong.number} ${wrong.reason}. ${entries} entries before it are what was written.`,
      ...(unfinished.length === 0
        ? []
        : [`Changes that were ${UNFINISHED}, or are under way: ${unfinished.join(', ')}`]),
    ].join('\n'),
})
