/**
 * Vitest's pool puts one more Proxy around the prototype of its object classes with every object it makes
 * (createProxyPrototypeClass in @cloudflare/vitest-pool-workers 0.23), and each call climbs them all: after some
 * hundred objects that takes longer than everything else. One Proxy does the same. Gives the way back.
 */
export const keepPrototypesShallow = (): (() => void) => {
  const { Proxy: Original } = globalThis
  const wrapped = new WeakSet()
  const wrap = <Target extends object>(target: Target, handler: ProxyHandler<Target>): Target => {
    if (!String(handler.get).includes('getUnknownPrototypeKey')) return new Original(target, handler)
    if (wrapped.has(target)) return target
    const proxy = new Original(target, handler)
    wrapped.add(proxy)
    return proxy
  }
  function Shallow<Target extends object>(target: Target, handler: ProxyHandler<Target>): Target {
    return wrap(target, handler)
  }
  globalThis.Proxy = Object.assign(Shallow, { revocable: Original.revocable }) as unknown as ProxyConstructor
  return () => void (globalThis.Proxy = Original)
}
