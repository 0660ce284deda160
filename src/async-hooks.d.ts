/**
 * What the hub uses of the one module of Node that the `nodejs_als` flag gives a Worker; its types
 * come with Node's alone.
 */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R
    getStore(): T | undefined
  }
}
