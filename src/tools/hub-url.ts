import { UsageError } from './usage-error.ts'

const LOCAL_HUB = 'http://localhost:8787'

/** The address of the hub that `HUB_URL` chooses, or of the local one. `secret` is what is sent there: never over http to another machine. */
export function hubUrl(env: NodeJS.ProcessEnv, secret: string): string {
  const url = env['HUB_URL'] ?? LOCAL_HUB
  const protocol = URL.parse(url)?.protocol ?? ''
  if (!/^https?:$/.test(protocol)) throw new Error(`HUB_URL must be an http or https URL, not ${url}`)
  if (protocol === 'http:' && !isHere(url)) {
    throw new UsageError(`HUB_URL must be an https URL, not ${url}: ${secret} could be read on the way.`)
  }
  return url
}

/** Whether an address is of this machine. */
export function isHere(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(url)?.hostname ?? '')
}
