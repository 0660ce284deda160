import { HOUR } from '../../src/contract/timestamp.ts'
import type { OperatorAction } from './commands.ts'
import { minorOf, written } from './amounts.ts'
import type { Kind } from './shop-instructions.ts'
import type { World } from './world.ts'
import { promise } from './violation.ts'

/** Plays an operator's action on a job. */
export async function operateJob(world: World, id: string, what: OperatorAction): Promise<void> {
  switch (what) {
    case 'asks the PSP':
      return expectOneOf(await world.askAsOperator('POST', `/jobs/${id}/pull`), 'a pull', [200])
    case 'sends the report again':
      return expectOneOf(await world.askAsOperator('POST', `/jobs/${id}/resend`), 'a resend', [200])
    case 'cancels':
      world.traces.mayBeCancelled.add(id)
      return expectOneOf(await world.askAsOperator('POST', `/jobs/${id}/cancel`), 'a cancel', [200, 409])
    case 'refunds':
      return instruct(world, id, 'refund')
    case 'captures':
      return instruct(world, id, 'capture')
    case 'releases':
      world.traces.mayBeCancelled.add(id)
      return expectOneOf(
        await world.askAsOperator('POST', `/jobs/${id}/release`),
        'a release',
        [200, 409, 422],
      )
    case 'rebuilds the index': {
      const day = new Date().toISOString().slice(0, 10)
      return expectOneOf(await world.askAsOperator('POST', `/index/${day}/rebuild`), 'a rebuild', [200])
    }
    case 'announces':
      return expectOneOf(
        await world.askAsOperator('POST', `/jobs/${id}/announce`),
        'an announcement',
        [200, 409],
      )
    case 'announces all of an account': {
      const account = world.pos.accounts[world.route[0] ?? 'mollie']
      const path = `/accounts/${account}/announce`
      return expectOneOf(await world.askAsOperator('POST', path), 'an announcement of all', [200, 404])
    }
    case 'clears money': {
      const note = { note: 'Collected at the counter' }
      return expectOneOf(
        await world.askAsOperator('POST', `/jobs/${id}/clear-money`, note),
        'a clear',
        [200, 409],
      )
    }
    case 'erases': {
      const response = await world.askAsOperator('POST', `/jobs/${id}/erase`)
      if (response.status === 200) world.erased.add(id)
      return expectOneOf(response, 'an erasure', [200])
    }
  }
}

async function instruct(world: World, job: string, kind: Kind): Promise<void> {
  const wanted = { id: crypto.randomUUID(), amount: written(250, world.currency) }
  const response = await world.askAsOperator('POST', `/jobs/${job}/${kind}s`, wanted)
  expectOneOf(response, `a ${kind}`, [200, 409, 422])
  if (response.status !== 200) return
  const { amount, [kind]: id } = await response.json<{ amount: string } & Record<Kind, string>>()
  world.acknowledged.set(id, { kind, job, amount: minorOf(amount, world.currency) })
}

/** Checks that the hub answered with an expected status, or with a 5xx for a fault of its platform. */
function expectOneOf({ status }: Response, what: string, expected: readonly number[]): void {
  promise(status >= 500 || expected.includes(status), `${what} by an operator was answered with ${status}`)
}

/** Sets the accounts that the hub tries for the next payments, in this order. */
export async function route(world: World, psps: readonly string[]): Promise<void> {
  world.isRouted = true
  world.route = psps
  const { id, accounts } = world.pos
  const routes = { paymentMethod: '*', accounts: psps.map((psp) => accounts[psp]) }
  expectOneOf(await world.askAsOperator('POST', `/pos/${id}/routes`, routes), 'a route', [200])
}

/** Takes a terminal away from the point of sale, and removes it. Its payments stay. */
export async function removeTerminal(world: World, name: string): Promise<void> {
  const { psp, pos } = world
  const terminal = psp.terminalOf(name)
  if (terminal === undefined || world.late.anyHeld()) return
  psp.removeTerminal(name)
  world.platform.clearFaults()
  const taken = await world.askAsOperator('POST', `/pos/${pos.id}/terminals`, { terminal, isAssigned: false })
  expectOneOf(taken, 'a terminal that is taken away', [200])
  const path = `/accounts/${pos.accounts[name]}/terminals/${terminal}/remove`
  expectOneOf(await world.askAsOperator('POST', path), 'the removal of a terminal', [200])
}

/** Removes an account with all its open payments, as one does with a dead PSP. The other accounts stay in the route. */
export async function removeAccount(world: World, name: string): Promise<void> {
  const account = world.pos.accounts[name]
  const isBusy = world.late.anyHeld() || world.failedChanges.length > 0
  if (account === undefined || isBusy || world.psp.gone.has(account)) return
  await removeTerminal(world, name)
  world.platform.clearFaults()
  await route(
    world,
    world.route.filter((routed) => routed !== name),
  )
  const removed = await world.askAsOperator('POST', `/accounts/${account}/remove?force=1`)
  expectOneOf(removed, 'the removal of an account', [200])
  if (removed.status === 200) world.psp.gone.add(account)
}

/** Gives an account a new key. With `late`, the old one stops working before the hub has the new one. */
export async function rekeyAccount(world: World, at: number, late: boolean): Promise<void> {
  const account = Object.values(world.pos.accounts)[at] ?? ''
  if (world.psp.gone.has(account)) return
  world.psp.makeKey(at, late)
  const set = () => {
    const credentials = world.psp.credentialsOf(at)
    return world.askAsOperator('POST', `/accounts/${account}/credentials`, { credentials })
  }
  const response = await set()
  expectOneOf(response, 'new credentials', [200])
  if (response.status === 200) world.psp.endOldKeys(at)
  else world.failedChanges.push({ what: 'new credentials', again: set, done: () => world.psp.endOldKeys(at) })
}

/** Gives the shop a new API key and revokes the old ones, which ends its tokens. */
export async function rekeyShop(world: World): Promise<void> {
  const { access } = world
  const added = await world.askAsOperator('POST', `/pos/${world.pos.id}/keys`)
  expectOneOf(added, 'another API key', [201])
  if (added.status !== 201) return
  access.apiKey = (await added.json<{ apiKey: string }>()).apiKey
  access.ended = { at: Infinity, isSure: false }
  const revoked = await world.askAsOperator('POST', `/pos/${world.pos.id}/keys/revoke`)
  expectOneOf(revoked, 'a revoke', [200])
  access.ended = { at: Date.now(), isSure: revoked.status === 200 }
}

/** Gives the shop a new signing secret. Until the hub's answer arrives, nobody knows which secret signs. */
export async function resecret(world: World, overlapHours: number): Promise<void> {
  const { access } = world
  if (access.secrets === null) return
  const former = access.secrets
  access.secrets = null
  const ask = (hours: number) => {
    access.formerUntil = Math.max(access.formerUntil, Date.now() + hours * HOUR)
    return world.askAsOperator('POST', `/pos/${world.pos.id}/secret`, { overlapHours: hours })
  }
  const learn = async (response: Response): Promise<void> => {
    const { signingSecret } = await response.json<{ signingSecret: string }>()
    access.secrets = [signingSecret, ...former]
  }
  const response = await ask(overlapHours)
  expectOneOf(response, 'another signing secret', [200])
  if (response.status === 200) await learn(response)
  // No overlap: a secret whose answer was lost must stop signing at once.
  else world.failedChanges.push({ what: 'another signing secret', again: () => ask(0), done: learn })
}

/** Disables or enables the point of sale. Disabling ends its tokens. */
export async function disable(world: World, isDisabled: boolean): Promise<void> {
  const { access } = world
  if (access.isDisabled === isDisabled) return
  if (isDisabled) access.ended = { at: Infinity, isSure: false }
  access.isDisabled = true
  const path = `/pos/${world.pos.id}/${isDisabled ? 'disable' : 'enable'}`
  const response = await world.askAsOperator('POST', path)
  expectOneOf(response, path, [200])
  const isDone = response.status === 200
  access.isDisabled = isDisabled || !isDone
  if (isDisabled || isDone) access.ended = { at: Date.now(), isSure: isDisabled && isDone }
}

/** Repeats the changes that failed while something was down, and enables the point of sale. */
export async function finishChanges(world: World): Promise<void> {
  for (const { what, again, done } of world.failedChanges.splice(0)) {
    const response = await again()
    promise(response.status === 200, `${what} could not be set once all was well: ${response.status}`)
    await done(response)
  }
  await disable(world, false)
}
