import { createHub } from '../../client/client.ts'
import { type Certificate, type Result, verdictOf, newSteps } from './certificate.ts'
import { hubWay, reportNetwork } from './network.ts'
import { type Setting, type World, newOrder } from './order.ts'
import { type ShopScenario, SCENARIOS } from './scenarios.ts'
import { ShopFault } from '../payment.ts'
import { certificateFault } from '../../programs/unreachable.ts'

export type Plan = Setting & {
  /** The names of the scenarios. */
  only: readonly string[]
  tell: (result: Result) => void
}

/** How many scenarios are played at once, unless a person is asked. */
const AT_ONCE = 10

/** Plays the scenarios of a plan against a shop. Throws if no shop answers, or if the hub refuses to play. */
export async function certify({ hub, addresses, only, tell, ...plan }: Plan): Promise<Certificate> {
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
  const world: World = { ...plan, hub, api, addresses, reports, way, run }
  const results = new Map<string, Result>()
  const play = async (isChosen: (scenario: ShopScenario) => boolean, most: number): Promise<void> => {
    const left = Object.entries(SCENARIOS)
      .filter(([name, scenario]) => only.includes(name) && isChosen(scenario))
      .values()
    const player = async () => {
      for (const [name, scenario] of left) {
        const result = await resultOf(name, scenario, world)
        results.set(name, result)
        tell(result)
      }
    }
    await Promise.all(Array.from({ length: most }, player))
  }
  try {
    await play(
      (scenario) => !isAboutCreates(scenario) && !scenario.terminal,
      plan.askPerson === null ? AT_ONCE : 1,
    )
    // Every create that comes meanwhile counts as one of the scenario's.
    await play(isAboutCreates, 1)
    // A terminal has one payment at a time.
    await play(({ terminal }) => terminal === true, 1)
  } finally {
    reports.close()
    way?.close()
  }
  const scenarios = only.flatMap((name) => results.get(name) ?? [])
  return { shop, hub: hub.url, played: begun.toISOString(), verdict: verdictOf(scenarios), scenarios }
}

/** Tells whether a scenario looks at the creates of the shop's own client. */
function isAboutCreates({ fault, clicks }: ShopScenario): boolean {
  return fault !== undefined || clicks !== undefined
}

async function resultOf(name: string, scenario: ShopScenario, world: World): Promise<Result> {
  const { does, moves } = scenario
  const steps = newSteps()
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
    for (const move of moves) await move(order)
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
