import type { Stage } from './stage.ts'

/**
 * What is tried of a shop, and what a good one does. `needs`: the shop's own client, on the way
 * that the certificate gives it; or the signing secret, to sign as the hub does.
 */
export type Scenario = { does: string; should: string; needs: Needs; play: Play }
type Needs = 'client' | 'secret' | null
export type Play = (stage: Stage) => Promise<void>
export type Scenarios = Readonly<Record<string, Scenario>>

export function scenario(does: string, should: string, play: Play, needs: Needs = null): Scenario {
  return { does, should, needs, play }
}
