import { skeletonFake } from './double.ts'
import type { Stage } from '../../stages.ts'

export function stage(terminal = 'T1') {
  const fake = skeletonFake()
  const missing = async () => {
    throw new Error('test/psp/skeleton/stage.ts lacks what an operator does at the PSP by hand')
  }
  return { fake, byHand: { capture: missing, cancel: missing }, terminal: { id: terminal } } satisfies Stage
}
