import type { FakePsp } from '../../../support/psps/fake-psp.ts'

function missing(what: string): never {
  throw new Error(`test/support/psps/skeleton.ts lacks ${what}`)
}

/** Skeleton's double for all tests. Prove it in test/psp/official/skeleton.test.ts with the PSP's own client. */
export function skeletonFake(): FakePsp {
  return {
    origins: ['https://api.skeleton.example'],
    accounts: [{ apiKey: 'key_of_the_first_account' }, { apiKey: 'key_of_the_second_account' }],
    handle: async (request) => missing(`an answer to ${request.method} ${request.url}`),
    bring: () => missing('bring: what a customer does'),
    notify: async () => missing('notify'),
  }
}
