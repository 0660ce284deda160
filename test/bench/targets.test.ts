import { expect, it } from 'vitest'
import { compared } from './compared.ts'
import { restless } from './targets.ts'

it('a run is restless where the hub differs from itself', () => {
  const steady = compared('create + again', 'itself', 1.02, true)
  const shaky = compared('read, one job + again', 'itself', 0.8, false)
  expect(restless([steady, shaky, compared('create', 'bare', 0.4, false)])).toEqual([shaky])
})
