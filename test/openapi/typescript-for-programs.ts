import { ts } from '@ts-morph/common'

/** A TypeScript with an interface for programs: that of the project, 7, has none yet. */
export default ts
