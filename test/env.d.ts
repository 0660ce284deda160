/// <reference types="@cloudflare/vitest-pool-workers/types" />
declare namespace Cloudflare {
  interface Env {
    /** The migrations, handed in by test/vitest.config.ts. */
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
  }
}
