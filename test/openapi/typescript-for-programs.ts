import { ts } from '@ts-morph/common'

/** A TypeScript with an API for programs: the project's version 7 has none yet. */
export default ts
