import { vi } from 'vitest'
import { happenAtTerminal } from './at-terminal.ts'
import { brownOut } from './brown-out.ts'
import type { Command } from './commands.ts'
import { again } from './again.ts'
import { comeBack, insist, payElsewhere, payLate, visit } from './customer.ts'
import { evict, meetNewer } from './journal-promises.ts'
import { deliverIndex, deliverReport, loseRows, notify, notifyNewest, sweep } from './messages.ts'
import { goBack, moveOn, moveReserved } from './money.ts'
import {
  disable,
  operateJob,
  removeAccount,
  removeTerminal,
  rekeyAccount,
  rekeyShop,
  resecret,
  route,
} from './operator.ts'
import { outage } from './outage.ts'
import { overtake, overtakeOrder } from './overtake.ts'
import { placeOrder, readJob, repeatOrder } from './shop-client.ts'
import { repeatInstruction, requestInstruction, cancelJob, releaseJob } from './shop-instructions.ts'
import { captureTest, letTimePass, placeTestOrder, releaseTest } from './test-job.ts'
import { loseAlarm, pass, ringNext } from './time.ts'
import type { World } from './world.ts'

/** The most orders of a schedule: with more, a failing schedule is hard to understand. */
const MOST_ORDERS = 3

/** Plays one command; one that applies to nothing is skipped. */
export async function act(world: World, command: Command): Promise<void> {
  await happen(world, command)
  if (world.platform.crash.now) await world.crash()
  world.throwViolation()
}

/** Returns the name of the account at a place of the route. */
function nameAt(world: World, at: number): string {
  return world.route[at % world.route.length] ?? 'mollie'
}

function isGone({ psp, pos }: World, name: string): boolean {
  return psp.gone.has(pos.accounts[name] ?? '')
}

async function happen(world: World, command: Command): Promise<unknown> {
  const { psp, shop, platform } = world
  const id = 'job' in command ? world.jobs[command.job % Math.max(world.jobs.length, 1)] : undefined
  if ('job' in command && id === undefined) return
  switch (command.do) {
    case 'order':
      psp.setLifetime(command.life)
      return world.orders.length < MOST_ORDERS && placeOrder(world, command)
    case 'impatient order':
      return world.orders.length < MOST_ORDERS && overtakeOrder(world)
    case 'customer insists':
      return world.orders.length < MOST_ORDERS && insist(world, command.fault)
    case 'order again': {
      const order = world.orders[command.order % Math.max(world.orders.length, 1)]
      return order && repeatOrder(world, order, command.together, command.changed)
    }
    case 'shop asks again': {
      const wanted = world.instructionRequests[command.pick % Math.max(world.instructionRequests.length, 1)]
      return wanted && repeatInstruction(world, wanted, command.changed)
    }
    case 'time':
      return pass(world, command.ms)
    case 'test order':
      return placeTestOrder(world, command)
    case 'test capture':
      return captureTest(world, command)
    case 'test release':
      return releaseTest(world)
    case 'let time pass':
      return letTimePass(world, command.seconds, command.times)
    case 'late answers come':
      world.late.release()
      return world.settle()
    case 'notify':
      return notify(world, command.pick, command.how)
    case 'reports':
      return deliverReport(world, command.pick, command.how)
    case 'index':
      return deliverIndex(world, command.newestFirst, command.how)
    case 'psp':
      return psp.setFault(command.fault, command.calls, nameAt(world, command.at))
    case 'psp behaves':
      return psp.setManner(command)
    case 'psp mends':
      return psp.clearFaults()
    case 'brown-out':
      return brownOut(world, command.how)
    case 'shop':
      return shop.setFault(command.fault, command.calls)
    case 'shop mends':
      return shop.clearFaults()
    case 'queue refuses':
      platform[command.queue].refusals = command.sends
      return
    case 'platform':
      return platform.setFault(command.fault)
    case 'platform mends':
      return platform.clearFaults()
    case 'objects':
      return platform.setObjectFault(command.fault, command.calls)
    case 'route':
      return world.start(route(world, psp.takersFirst(command.to.filter((name) => !isGone(world, name)))))
    case 'account goes':
      return world.start(removeAccount(world, nameAt(world, command.at)))
    case 'terminal goes':
      return world.start(removeTerminal(world, nameAt(world, command.at)))
    case 'rekey account':
      return world.start(rekeyAccount(world, command.at, command.late))
    case 'rekey shop':
      return world.start(rekeyShop(world))
    case 'resecret':
      return world.start(resecret(world, command.hours))
    case 'disable':
      return world.start(disable(world, command.isDisabled))
    case 'lose rows':
      return loseRows(world)
    case 'clock steps back':
      vi.setSystemTime(Date.now() - command.ms)
      return
    case 'sweep':
      return sweep(world)
    case 'crash':
      return world.crash()
    case 'crash while sending':
      platform.crash.next = command.accepted ? 'accepted' : 'not accepted'
      return
    default:
      return id === undefined ? undefined : happenTo(world, id, command)
  }
}

async function happenTo(world: World, id: string, command: Extract<Command, { job: number }>): Promise<void> {
  switch (command.do) {
    case 'read':
      return world.start(readJob(world, id))
    case 'customer': {
      const walk = async () => {
        await visit(world, id, command)
        for (let times = 0; times < command.back; times++) await comeBack(world, id, 1)
      }
      return world.start(walk())
    }
    case 'again and again':
      return again(world, id, command.what)
    case 'come back': {
      const windows = command.together ? [1, 2] : [1]
      return world.start(Promise.all(windows.map(() => comeBack(world, id, command.look))))
    }
    case 'money comes after all':
      payLate(world, id)
      return command.notifies ? notifyNewest(world, 'once') : undefined
    case 'money comes elsewhere':
      return payElsewhere(world, id) ? notifyNewest(world, 'once') : undefined
    case 'money on its way':
      return moveOn(world, id, command.how, command.notifies)
    case 'money goes back':
      return goBack(world, id, command)
    case 'at terminal':
      return happenAtTerminal(world, id, command.what, command.notifies)
    case 'reserved money':
      return moveReserved(world, id, command.how, command.notifies)
    case 'shop captures':
      return requestInstruction(world, 'capture', id, command)
    case 'shop releases':
      return releaseJob(world, id, command.together)
    case 'shop refunds':
      return requestInstruction(world, 'refund', id, command)
    case 'outage':
      return outage(world, id, command)
    case 'shop cancels':
      return cancelJob(world, id, command.together)
    case 'overtake':
      return overtake(world, id, command.what)
    case 'ring':
      return ringNext(world, id)
    case 'operate':
      return world.start(operateJob(world, id, command.what))
    case 'lose alarm':
      return loseAlarm(world, id)
    case 'evict':
      if (!isEvictable(world)) return
      return evict(world, id).catch(() => {})
    case 'newer release':
      return isEvictable(world) ? meetNewer(world, id) : undefined
  }
}

/**
 * Returns whether the local runtime would evict an object now. It waits half a minute for held answers,
 * timers and references left by failed calls, and then gives up.
 */
function isEvictable({ late, firstEnd, platform }: World): boolean {
  return !late.anyHeld() && firstEnd() === Infinity && !platform.hasFailedToWrite()
}
