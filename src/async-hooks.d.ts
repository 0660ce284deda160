/**
 * The part of `node:async_hooks` that the hub uses. The `nodejs_als` flag gives a Worker this one
 * module of Node, but Cloudflare's types lack it.
 */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R
    getStore(): T | undefined
  }
}
