import type { AuditEntry, AuditList, AuditVerified } from '../../contract/audit.ts'
import type { Operation } from '../../contract/operation.ts'
import { OPERATOR_OPERATIONS } from '../../contract/operator-operations.ts'
import { flag, group, option } from '../program.ts'
import { UsageError, meant, quoted } from '../usage-error.ts'
import { EXPORT_FLAGS, exportTo } from './exports.ts'
import { hubCommand } from './hub-command.ts'
import { ask, askPages } from './operator-api.ts'
import { rangeOf } from './search.ts'

/** What the audit log has of each operation that changes something. */
const ACTIONS = Object.values<Operation>(OPERATOR_OPERATIONS).flatMap(({ audit: told }) => told?.action ?? [])

const UNFINISHED = 'cut off or not recorded'

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

/** The newest entries tell what names there are. */
const LOOKED_AT = { query: { limit: '200' } }

/** Throws a UsageError for a name under which nobody ever changed anything. */
async function mustBeKnown(by: string): Promise<void> {
  const { entries, next } = await ask('listAudit', { query: { by, limit: '1' } })
  if (entries.length > 0 || next !== null) return
  const { entries: newest } = await ask('listAudit', LOOKED_AT)
  const names = [...new Set(newest.map((entry) => entry.by))]
  throw new UsageError(`Nobody has changed anything as ${quoted(by)}. ${meant(names, by)}`.trimEnd())
}

/** The id of what an operator named. Throws a UsageError for what nothing was ever done to. */
async function subjectOf(named: string): Promise<string> {
  // An id may be of something that nobody has changed yet.
  if (/^[0-9a-f-]{32,36}$/.test(named)) return named
  const { entries, next } = await ask('listAudit', { query: { subject: named, limit: '1' } })
  if (entries.length > 0 || next !== null) return named
  const { pointsOfSale } = await ask('listPointsOfSale')
  const shops = pointsOfSale.filter(({ name }) => name.toLowerCase() === named.toLowerCase())
  const [shop, ...others] = shops
  if (shop && others.length === 0) return shop.id
  const { entries: newest } = await ask('listAudit', LOOKED_AT)
  const known = [...pointsOfSale.map(({ name }) => name), ...newest.map(({ subject: id }) => id)]
  throw new UsageError(`Nothing was ever changed of ${quoted(named)}. ${meant(known, named)}`.trimEnd())
}

const list = hubCommand({
  does: 'lists what operators changed, newest first',
  example: '--from 2026-01-31 --action pos.route',
  args: {
    from: option('TIME', 'made at this time or later'),
    to: option('TIME', 'made before this time'),
    by: option('NAME', 'by this operator only'),
    action: {
      type: 'enum',
      options: ACTIONS,
      valueHint: 'ACTION',
      description: 'of this kind only, such as pos.route',
    },
    subject: option('ID', 'of this point of sale (its id or its name), account, token or job only'),
    limit: option('N', 'at most so many entries, up to 200; 50 if not given'),
    after: option('NUMBER', 'go on after the list before'),
  },
  run: async ({ from, to, by, action, subject: named, limit, after }, utc) => {
    const range = rangeOf({ from, to }, utc)
    const subject = named === undefined ? undefined : await subjectOf(named)
    const found = await ask('listAudit', { query: { ...range, by, action, subject, limit, after } })
    if (by !== undefined && found.entries.length === 0) await mustBeKnown(by)
    return found
  },
  show: (answer, view) =>
    [
      view.list('There are no such changes.', shownOf(answer), {
        entry: ({ number }) => String(number),
        time: ({ at }) => view.time(at),
        by: ({ by }) => by,
        action: ({ action }) => action,
        subject: ({ subject }) => subject,
        result: ({ result }) => (result === 'begun' ? UNFINISHED : result),
        change: changeOf,
      }),
      ...(answer.unreadable.length === 0
        ? []
        : ['', `Entries that cannot be read: ${answer.unreadable.join(', ')}. See audit verify.`]),
      ...(answer.next === null ? [] : ['', `There are more: the same again with --after ${answer.next}`]),
    ].join('\n'),
})

type Outcome = Omit<AuditVerified, 'next'>

function allRight(entries: number, head: Outcome['head']): string {
  return entries === 0 || head === null
    ? 'There are no entries to check.'
    : `${entries === 1 ? 'The entry is' : `All ${entries} entries are`} what was written. The ` +
        `last is ${head.number}, ${head.hash}.`
}

const verify = hubCommand({
  does: 'recomputes the chain of the audit log, and compares it with the heads of its days',
  args: {
    after: option('NUMBER', 'begin after this entry, not with the first'),
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

const exported = hubCommand({
  does: 'writes the audit log, an entry a line as JSON, oldest first: docs/verify-audit.py checks it',
  example: '--out audit.ndjson',
  args: {
    from: option('TIME', 'entries made at this time or later'),
    to: option('TIME', 'entries made before this time'),
    ...EXPORT_FLAGS,
    json: flag('what it prints is JSON in any case; with it an error is too'),
  },
  run: (given, utc) => exportTo(given, 'exportAudit', rangeOf(given, utc)),
})

export const audit = group('changes by operators', 'list', { list, verify, export: exported })
