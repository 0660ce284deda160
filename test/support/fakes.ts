import type { FakePsp } from './psps/fake-psp.ts'

// With a type argument here, Vitest would keep the list of files of an earlier run.
const MODULES: Record<string, Record<string, () => FakePsp>> = import.meta.glob('./psps/*.ts', {
  eager: true,
})

/** Makes the fake of a PSP, such as `mollieFake` in `psps/mollie.ts`. Throws if there is none. */
export function fakeOf(psp: string): FakePsp {
  const make = MODULES[`./psps/${psp}.ts`]?.[`${psp}Fake`]
  if (!make) throw new Error(`test/support/psps/${psp}.ts must export ${psp}Fake`)
  return make()
}
