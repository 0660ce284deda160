import type { Carriage, Command, Overtaken } from './commands.ts'

const CARRIED: Record<Carriage, string> = {
  once: 'is delivered',
  twice: 'is delivered, and stays',
  lost: 'is lost',
}

const OVERTAKES: Record<Overtaken, string> = {
  look: 'and is notified while the customer is coming back, before the answer of the PSP is there',
  end: 'and is notified while the customer is coming back, before the PSP can say that the payment has expired',
  'last pull': 'while the answer to the last pull is on its way, and the notification is lost',
  silence: 'once it has ended without an answer of the PSP, and is notified',
  report: 'and is notified and reported while a report is on its way to the shop',
}

function calls(count: number, what: string): string {
  return count === 1 ? `the next ${what}` : `the next ${count} ${what}s`
}

function span(ms: number): string {
  return ms < 60_000 ? `${ms / 1000} s` : `${Math.round(ms / 60_000)} min`
}

function unheard(word: boolean): string {
  return word ? '' : ', and nobody is notified'
}

/** A command in words, as a failing schedule is printed. */
export function inWords(command: Command): string {
  switch (command.do) {
    case 'order': {
      const key = command.keyed ? 'with' : 'without'
      const life = command.life === null ? 'without end' : `open for ${span(command.life)}`
      return `the shop orders ${key} an Idempotency-Key${command.together ? ', twice at once' : ''}; payments of the PSP are ${life}${command.slow ? ', by bank transfer' : ''}`
    }
    case 'impatient order':
      return 'the shop orders with an Idempotency-Key, and again before the PSP answers, which has forgotten the key; the customer opens payUrl before and after the first answer comes'
    case 'order again':
      return `the shop repeats order ${command.order}${command.together ? ' twice at once' : ''}${command.changed ? ' with another amount' : ''}`
    case 'read':
      return `the shop reads job ${command.job}`
    case 'customer':
      return `the customer of job ${command.job} opens payUrl and ${command.outcome}${command.outcome.startsWith('pays slowly') ? ` (${command.days} days${unheard(command.word)})` : ''}, then comes back ${command.back} times`
    case 'come back':
      return `the customer of job ${command.job} comes back (look ${command.look})${command.together ? ' in two windows' : ''}`
    case 'money comes after all':
      return `the money of job ${command.job} reaches the PSP after all${command.word ? ', and the hub is notified' : ''}`
    case 'money on its way':
      return `the money of job ${command.job} that is under way or reserved ${command.how}${unheard(command.word)}`
    case 'money goes back':
      return `${command.part} cents of job ${command.job} are ${command.how}${unheard(command.word)}`
    case 'shop refunds':
      return `the shop refunds ${command.amount ?? 'the rest'} of job ${command.job} ${command.keyed ? 'with' : 'without'} an Idempotency-Key, ${command.times} times at once`
    case 'shop refunds again':
      return `the shop repeats refund ${command.refund}${command.changed ? ' with another amount' : ''}`
    case 'shop cancels':
      return `the shop cancels job ${command.job}${command.together ? ' twice at once' : ''}`
    case 'overtake':
      return `money comes for job ${command.job} ${OVERTAKES[command.what]}`
    case 'notify':
      return `notification ${command.pick} ${CARRIED[command.how]}`
    case 'ring':
      return `the alarm of job ${command.job} rings at its time`
    case 'time':
      return `${span(command.ms)} pass, alarms ring and queues run`
    case 'late answers come':
      return 'the late answers come'
    case 'reports':
      return `report message ${command.pick} ${CARRIED[command.how]}`
    case 'index':
      return `the index messages ${command.newestFirst ? 'come newest first, one by one' : 'come in one batch'}${command.how === 'twice' ? ', and stay' : ''}`
    case 'psp':
      return `the ${command.at === 0 ? 'first' : 'second'} PSP of the route ${command.fault} for ${calls(command.calls, 'call')}`
    case 'shop':
      return `the shop's receiver ${command.fault} for ${calls(command.calls, 'report')}`
    case 'brown-out':
      return `the first PSP of the route ${command.how} for a while, and the shop goes on ordering`
    case 'test order':
      return `a shop in test mode orders, and its customer chooses ${command.outcome}`
    case 'let time pass':
      return `the shop lets ${span(command.seconds * 1000)} pass for its test job${command.times > 1 ? ', twice at once' : ''}`
    case 'psp mends':
      return 'the PSPs are well again'
    case 'shop mends':
      return "the shop's receiver is well again"
    case 'queue refuses':
      return `the ${command.queue} queue refuses ${calls(command.sends, 'message')}`
    case 'platform':
      return command.fault
    case 'platform mends':
      return 'D1 and KV are well again'
    case 'objects':
      return `the jobs' objects are ${command.fault} for ${calls(command.calls, 'call')}`
    case 'operate':
      return `an operator ${command.what}, of job ${command.job}`
    case 'route':
      return `payments to come go to ${command.to.join(', then to ')}`
    case 'rekey account':
      return `the ${command.at === 0 ? 'first' : 'second'} account gets another key${command.late ? ', which the hub learns late' : ''}`
    case 'rekey shop':
      return 'the shop gets another API key, and the others are revoked'
    case 'resecret':
      return `the shop gets another signing secret, and the one before signs for ${command.hours} h`
    case 'disable':
      return `the point of sale is ${command.isDisabled ? 'disabled' : 'enabled'}`
    case 'lose alarm':
      return `the platform gives up the alarm of job ${command.job}`
    case 'lose rows':
      return 'the index messages of jobs that the directory has are lost'
    case 'clock steps back':
      return `the clock steps back by ${command.ms} ms`
    case 'sweep':
      return 'the sweeps of the hour run'
    case 'evict':
      return `the object of job ${command.job} is evicted`
    case 'crash':
      return 'all objects crash'
    case 'crash while sending':
      return `all objects crash while the next message is sent, which was ${command.accepted ? '' : 'not '}accepted`
  }
}
