import { type Command, group } from '../command.ts'
import { auditList, auditVerify } from './audit.ts'
import { auditExport, jobExport } from './exports.ts'
import { jobCancel, jobJournal, jobPull, jobRefund, jobShow, jobWhy } from './job.ts'
import { indexRebuild, indexVerify, retentionShow } from './job-index.ts'
import { jobWatch } from './job-watch.ts'
import { jobFind, jobList } from './jobs.ts'
import { keysRotate, keysStatus } from './keys.ts'
import { listen } from './listen.ts'
import { posRekey, posResecret, posRevoke } from './pos-keys.ts'
import { posCreate, posDisable, posEnable, posList, posRoute, posRoutes, posUpdate } from './pos.ts'
import { pspAdd, pspCheck, pspList, pspRekey, pspRemove } from './psp.ts'
import { reportList, reportResend } from './reports.ts'
import { stats } from './stats.ts'
import { alertList, alertSecret, alertTest, settingsShow, status } from './status.ts'
import { tokenCreate, tokenList, tokenRevoke, whoami } from './tokens.ts'
import { trigger } from './trigger.ts'

/**
 * Commands on one subject. What they are stands beside the subject, so that `hub --help` shows all
 * of them.
 */
function on(name: string, subject: string, example: string, commands: Command['commands']): Command {
  return group(
    {
      name: `npx hub ${name}`,
      does: `${subject}: ${Object.keys(commands).join(', ')}`,
      example: `npx hub ${name} ${example}`,
    },
    commands,
  )
}

/**
 * The operator's commands, nearly all of two words, and those of developers with a point of sale in
 * test mode. All take `--json`.
 */
export const HUB = group(
  {
    name: 'npx hub',
    does: 'The hub for its operator. HUB_URL and OPERATOR_TOKEN choose the hub; without them it is the local one.',
    example: 'npx hub pos list --json | jq .',
  },
  {
    pos: on('pos', 'points of sale', 'create --name "Shop 1"', {
      create: posCreate,
      list: posList,
      update: posUpdate,
      disable: posDisable,
      enable: posEnable,
      rekey: posRekey,
      revoke: posRevoke,
      resecret: posResecret,
      route: posRoute,
      routes: posRoutes,
    }),
    psp: on('psp', 'accounts at PSPs', 'check shop-mollie', {
      add: pspAdd,
      list: pspList,
      check: pspCheck,
      rekey: pspRekey,
      remove: pspRemove,
    }),
    keys: on('keys', 'keys that seal credentials', 'status', { rotate: keysRotate, status: keysStatus }),
    job: on('job', 'payment jobs', 'list --order A-1', {
      list: jobList,
      find: jobFind,
      export: jobExport,
      show: jobShow,
      journal: jobJournal,
      why: jobWhy,
      watch: jobWatch,
      pull: jobPull,
      cancel: jobCancel,
      refund: jobRefund,
    }),
    report: on('report', 'reports to points of sale', 'list', { list: reportList, resend: reportResend }),
    index: on('index', 'the index of payment jobs', 'verify', { verify: indexVerify, rebuild: indexRebuild }),
    audit: on('audit', 'changes by operators', 'list', {
      list: auditList,
      verify: auditVerify,
      export: auditExport,
    }),
    retention: on('retention', 'jobs deleted after their retention time', 'show', { show: retentionShow }),
    alert: on('alert', 'what you are told of without asking', 'test', {
      list: alertList,
      test: alertTest,
      secret: alertSecret,
    }),
    settings: on('settings', 'the settings of the hub', 'show', { show: settingsShow }),
    status,
    token: on('token', 'operator tokens', 'create --name "Night desk" --role support', {
      create: tokenCreate,
      list: tokenList,
      revoke: tokenRevoke,
    }),
    whoami,
    stats,
    listen,
    trigger,
  },
)
