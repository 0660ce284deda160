type Imports = { import: (url: string) => Promise<unknown> }

/**
 * Makes calls of the Worker and of its objects quick. Vitest's pool (@cloudflare/vitest-pool-workers 0.23) asks Vite's
 * server for the Worker's module again at every call, which takes most of a call's time, and with every object it
 * makes it puts one more Proxy around the prototype that all calls climb (createProxyPrototypeClass). Asking once, and
 * one Proxy, do the same. Done when this module is loaded: once in each runtime, for all test files that share it.
 */
function importOnce(): void {
  const { moduleRunner } = (globalThis as unknown as { __vitest_mocker__: { moduleRunner: Imports } })
    .__vitest_mocker__
  const known = new Map<string, unknown>()
  const original = moduleRunner.import
  moduleRunner.import = async (url) => {
    if (!known.has(url)) known.set(url, await original.call(moduleRunner, url))
    return known.get(url)
  }
}

function wrapOnce(): void {
  const { Proxy: Original } = globalThis
  const wrapped = new WeakSet()
  const wrap = <Target extends object>(target: Target, handler: ProxyHandler<Target>): Target => {
    if (!String(handler.get).includes('getUnknownPrototypeKey')) return new Original(target, handler)
    if (wrapped.has(target)) return target
    const proxy = new Original(target, handler)
    wrapped.add(proxy)
    return proxy
  }
  function Once<Target extends object>(target: Target, handler: ProxyHandler<Target>): Target {
    return wrap(target, handler)
  }
  globalThis.Proxy = Object.assign(Once, { revocable: Original.revocable }) as unknown as ProxyConstructor
}

importOnce()
wrapOnce()
