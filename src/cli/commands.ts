import { type Command, group } from '../programs/program.ts'
import { releaseOf } from '../programs/wrangler.ts'
import { login, logout, profiles, session, token, whoami } from './access.ts'
import { audit } from './audit.ts'
import { backup, restore } from './backup.ts'
import { books } from './books.ts'
import { certifyShop } from '../kit/certify/certify-shop.ts'
import { completion } from './completion.ts'
import { show, watch, why } from './job.ts'
import { announce, cancel, clearMoney, erase, pull, exportPerson } from './job-changes.ts'
import { capture, refund, release } from './job-money.ts'
import { index, retention, stats } from './job-index.ts'
import { exportJobs, exportMovements, find, list } from './jobs.ts'
import { journal } from './journal.ts'
import { listen } from '../kit/listen.ts'
import { pos } from './pos.ts'
import { rehearseBackup } from '../rehearsal/rehearse-backup.ts'
import { keys, psp } from './psp.ts'
import { report } from './reports.ts'
import { alert, settings, status } from './status.ts'
import { terminal } from './terminal.ts'
import { trigger } from '../kit/trigger.ts'

const job = group('payment jobs', 'list --order A-1', {
  list,
  find,
  export: exportJobs,
  'export-movements': exportMovements,
  show,
  journal,
  why,
  watch,
  pull,
  announce,
  cancel,
  capture,
  release,
  refund,
  'clear-money': clearMoney,
  erase,
  'export-person': exportPerson,
})

/**
 * The commands: nearly all are an operator's and have two words; some are for developers with a
 * point of sale in test mode. All take `--json`.
 */
export const HUB: Command = {
  name: 'npx hub',
  does: 'The hub for its operator. HUB_PROFILE, or HUB_URL and OPERATOR_TOKEN, choose the hub; without them it is the local one.',
  example: 'npx hub pos list --json | jq .',
  args: {},
  version: releaseOf(),
  run: null,
  commands: {
    pos,
    psp,
    terminal,
    keys,
    job,
    report,
    index,
    audit,
    backup,
    restore,
    rehearse: rehearseBackup,
    books,
    retention,
    alert,
    settings,
    status,
    token,
    session,
    whoami,
    login,
    logout,
    profiles,
    stats,
    listen,
    trigger,
    certify: certifyShop,
    completion: completion(() => HUB),
  },
}
