import { describe, expect, it } from 'vitest'
import { figuresOf, ratiosOf } from './compare.ts'

/** A round of ten requests: nine that take `ms`, and one of `slowest`. */
function round(ms: number, slowest: number, seconds: number, cpu: number | null = 0.1) {
  return { amount: 10, seconds, latencies: [slowest, ...Array<number>(9).fill(ms)], cpu }
}

describe('the figures of a run', () => {
  it('are of all rounds together: the middle rate, percentiles of all latencies, CPU a request', () => {
    const rounds = [round(1, 9, 1), round(2, 8, 2), round(3, 7, 4)]
    const { cpu, ...others } = figuresOf(rounds)
    expect(others).toEqual({ rps: 5, p50: 2, p99: 9 })
    expect(cpu).toBeCloseTo(10)
    expect(figuresOf([round(1, 9, 1, null)]).cpu).toBeNull()
  })

  it('are compared round by round, and tell how far apart the rounds were', () => {
    const hub = [round(2, 9, 2), round(2, 9, 4), round(2, 9, 2)]
    const bare = [round(1, 3, 1), round(1, 3, 1), round(1, 3, 2)]
    const { rps, p99, cpu } = ratiosOf({ hub, bare })
    expect(rps).toEqual({ value: 0.5, low: 0.25, high: 1 })
    expect([p99.value, cpu.value]).toEqual([3, 1])
  })
})
