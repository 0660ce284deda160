import type { SealingRotated, SealingStatus } from '../../operator-api/contract/accounts.ts'
import { hubCommand } from './hub-command.ts'
import { askPages } from './operator-api.ts'

/** So many of something: "1 copy", "2 copies". */
function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
function accountsIn(number: number): string {
  return count(number, 'account', 'accounts')
}
function copiesIn(number: number): string {
  return count(number, 'copy', 'copies')
}

async function rotate(): Promise<SealingRotated> {
  let all: SealingRotated | null = null
  for await (const { next, ...page } of askPages('rotateSealing')) {
    all = all === null ? page : added(all, page)
    if (next) console.error(`${copiesIn(all.copies ?? 0)} so far (if this is cut off, run it again)`)
  }
  if (all === null) throw new Error('The hub gave no answer.')
  return all
}

function added(all: SealingRotated, page: SealingRotated): SealingRotated {
  return {
    ...page,
    resealed: [...all.resealed, ...page.resealed],
    failed: [...all.failed, ...page.failed],
    copies: (all.copies ?? 0) + (page.copies ?? 0),
  }
}

export const keysRotate = hubCommand({
  name: 'keys rotate',
  does: 'seals all credentials anew under the first of SEALING_KEY',
  example: 'keys rotate',
  args: {},
  run: rotate,
  show: ({ sealingKey, resealed, failed, accounts, copies = 0 }) =>
    [
      `${resealed.length} of ${accountsIn(accounts)} sealed anew, ${copiesIn(copies)} written; the key in use is ${sealingKey}.`,
      failed.length === 0
        ? 'In two minutes the older key may be taken out of SEALING_KEY, if keys status agrees.'
        : `These could not be opened, so give their credentials again (psp rekey): ${failed.join(', ')}`,
    ].join('\n'),
  succeeds: ({ failed }) => failed.length === 0,
})

type Status = Omit<SealingStatus, 'next'>

async function readStatus(): Promise<Status> {
  const all: Status = { sealingKey: '', accounts: 0, copies: 0, oldAccounts: [], oldCopies: [] }
  for await (const page of askPages('showSealing')) {
    all.sealingKey = page.sealingKey
    all.accounts = page.accounts
    all.copies += page.copies
    all.oldAccounts.push(...page.oldAccounts)
    all.oldCopies.push(...page.oldCopies)
  }
  return all
}

function isDone({ oldAccounts, oldCopies }: Status): boolean {
  return oldAccounts.length === 0 && oldCopies.length === 0
}

export const keysStatus = hubCommand({
  name: 'keys status',
  does: 'tells what is not sealed under the first of SEALING_KEY yet',
  example: 'keys status',
  args: {},
  run: readStatus,
  show: (status) =>
    isDone(status)
      ? `Everything is sealed under ${status.sealingKey}: ${accountsIn(status.accounts)}, ${copiesIn(status.copies)}.`
      : [
          `Not sealed under ${status.sealingKey} yet: ${status.oldAccounts.length} of ${accountsIn(status.accounts)}, ${status.oldCopies.length} of ${copiesIn(status.copies)}. Run keys rotate.`,
          'Just after it, KV may show a copy as it was a minute before.',
          ...status.oldAccounts.map((id) => `account ${id}`),
          ...status.oldCopies.map((name) => `copy ${name}`),
        ].join('\n'),
  succeeds: isDone,
})
