import { describe, expect, it } from 'vitest'
import { isJobId } from '../../src/contract/job-id.ts'
import { isMarkedJobId, markedJobId } from '../../src/job/marked-id.ts'

const ROOT = 'a signing root of a hub'.repeat(2)
const MARK = 6

describe('the mark of a job id', () => {
  it('is that of the id, and of no other', async () => {
    const [one, other] = [await markedJobId(ROOT), await markedJobId(ROOT)]
    expect(isJobId(one)).toBe(true)
    expect(await isMarkedJobId(ROOT, one)).toBe(true)
    expect(await isMarkedJobId(ROOT, one.slice(0, -MARK) + other.slice(-MARK))).toBe(false)
  })

  it('can only be made by who has the signing root', async () => {
    expect(await isMarkedJobId(`${ROOT}!`, await markedJobId(ROOT))).toBe(false)
  })
})
