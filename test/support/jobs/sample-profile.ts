import type { Profile } from '../../../src/registry/profile.ts'

/** A profile of a point of sale in test mode, without routes. */
export function sampleProfile(changes: Partial<Profile> = {}): Profile {
  return {
    pos: 'a'.repeat(32),
    name: 'A shop',
    mode: 'test',
    signReturn: false,
    signingVersion: 1,
    routes: [],
    accounts: [],
    access: { asOf: 1, tokensSince: 0, generations: [] },
    ...changes,
  }
}
