/// <reference types="@cloudflare/vitest-plugin/types" />
declare namespace Cloudflare {
  interface Env {
    /** The migrations, handed in by test/vitest.config.ts. */
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** Whether tests print the log of the hub: anything but an empty text. */
    TEST_LOGS: string
    /** Databases that the tests have besides, to spread the index over. */
    INDEX_1: D1Database
    INDEX_2: D1Database
    /** A bucket that no setting of the hub names. */
    TEST_BUCKET: R2Bucket
  }
}

interface ImportMeta {
  /** Vite's: the modules that a pattern finds. */
  glob<Module>(
    pattern: string,
    options: { eager: true; query?: '?raw'; import?: 'default' },
  ): Record<string, Module>
}

declare module '*.md?raw' {
  const text: string
  export default text
}
