import { createHub } from '../../client/client.ts'
import { type Certificate, type Result, verdictOf, newSteps } from './certificate.ts'
import { hubWay, reportNetwork } from './network.ts'
import { type Setting, type World, capturesLater, newOrder } from './order.ts'
import { leaveNothing } from './leave-nothing.ts'
import { type ShopScenario, SCENARIOS } from './scenarios.ts'
import { ShopFault } from '../payment.ts'
import { certificateFault } from '../../programs/unreachable.ts'

export type Plan = Setting & {
  /** The names of the scenarios; by default all that suit the shop. */
  only: readonly string[] | undefined
  /** The shop captures later, or has terminals. That its own client captures later shows by itself. */
  captures: boolean
  terminals: boolean
  /** Gets the results one by one, in the order of the scenarios. */
  tell: (result: Result) => void
}

/** How many scenarios are played at once, unless a person is asked. */
const AT_ONCE = 10

/**
 * Plays the scenarios of a plan against a shop, and leaves nothing at the hub that waits or fails. Throws if
 * no shop answers, if the hub refuses to play, or the reason of `stop`.
 */
export async function certify({ hub, addresses, ...plan }: Plan): Promise<Certificate> {
  const begun = new Date()
  const shop = new URL(addresses.check).origin
  await fetch(shop).catch((error: unknown) => {
    throw new Error(`No shop answers at ${shop}. ${certificateFault(error) || 'Start it first.'}`, {
      cause: error,
    })
  })
  const reports = await reportNetwork(hub)
  const way = addresses.pay === null ? null : await hubWay(hub.url, plan.port, plan.secret)
  const api = createHub({ baseUrl: hub.url, apiKey: hub.key })
  const run = `CERT-${begun.getTime().toString(36).toUpperCase()}`
  const world = { ...plan, hub, api, addresses, reports, way, run, made: new Set<string>() }
  const stopped = Promise.withResolvers<never>()
  plan.stop.addEventListener('abort', () => stopped.reject(plan.stop.reason))
  try {
    const scenarios = await Promise.race([playAll(world), stopped.promise])
    plan.stop.throwIfAborted()
    return { shop, hub: hub.url, played: begun.toISOString(), verdict: verdictOf(scenarios), scenarios }
  } finally {
    await leaveNothing(world)
    reports.close()
    way?.close()
  }
}

async function playAll({ captures, terminals, tell, ...world }: Plan & World): Promise<Result[]> {
  const hasCaptures = captures || (!world.only && (await capturesLater(world)))
  const isOfShop = ({ byName, captures: ofCaptures, terminal }: ShopScenario) =>
    !byName && (hasCaptures || !ofCaptures) && (terminals || !terminal)
  const { only = Object.keys(SCENARIOS).filter((name) => SCENARIOS[name] && isOfShop(SCENARIOS[name])) } =
    world
  const results = new Map<string, Result>()
  let told = Promise.resolve()
  const play = async (isChosen: (scenario: ShopScenario) => boolean, most: number): Promise<void> => {
    const left = Object.entries(SCENARIOS)
      .filter(([name, scenario]) => only.includes(name) && isChosen(scenario))
      .values()
    const player = async () => {
      for (const [name, scenario] of left) {
        if (world.stop.aborted) return
        const slow = Promise.withResolvers<void>()
        const played = resultOf(name, scenario, world, slow.resolve)
        told = told.then(async () => {
          results.set(name, await played)
          tell(await played)
        })
        // The next is played while the shop is slow. A person is asked about one at a time.
        await (world.askPerson === null ? Promise.race([played, slow.promise]) : played)
      }
    }
    await Promise.all(Array.from({ length: most }, player))
  }
  const isUsual = (scenario: ShopScenario) => !isAboutCreates(scenario) && !scenario.terminal
  await play(isUsual, world.askPerson === null ? AT_ONCE : 1)
  // Every create that comes meanwhile counts as one of the scenario's.
  await play(isAboutCreates, 1)
  // A terminal has one payment at a time.
  await play(({ terminal }) => terminal === true, 1)
  await told
  return only.flatMap((name) => results.get(name) ?? [])
}

/** Tells whether a scenario looks at the creates of the shop's own client. */
function isAboutCreates({ fault, clicks }: ShopScenario): boolean {
  return fault !== undefined || clicks !== undefined
}

async function resultOf(
  name: string,
  scenario: ShopScenario,
  world: World,
  isSlow: () => void,
): Promise<Result> {
  const { does, moves } = scenario
  const steps = newSteps(isSlow)
  const ends = (result: Result['result'], did: string, should = scenario.should): Result => ({
    name,
    does,
    should,
    result,
    did,
    steps: steps.all.toSorted((one, other) => (one.at < other.at ? -1 : 1)),
  })
  const missing = missingOf(scenario, world)
  if (missing !== null) return ends('not played', missing)
  const faults: ShopFault[] = []
  try {
    const order = await newOrder(world, scenario, steps, faults)
    for (const move of moves) {
      world.stop.throwIfAborted()
      await move(order)
    }
  } catch (error) {
    // A report that the shop refused may be why the rest did not come.
    if (error instanceof ShopFault) faults.push(error)
    else if (faults.length === 0)
      return ends('not played', error instanceof Error ? error.message : 'It broke off.')
  }
  const [fault] = faults
  return fault ? ends('failed', `The shop ${fault.message}.`, fault.advice) : ends('passed', '')
}

function missingOf(scenario: ShopScenario, { way, secret }: World): string | null {
  if (isAboutCreates(scenario) && way === null) return "It needs the shop's own client: give --pay-url."
  if (scenario.needsSecret && secret === '') return 'It needs the signing secret: set HUB_SIGNING_SECRET.'
  return null
}
