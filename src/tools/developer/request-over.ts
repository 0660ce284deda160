import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

/** What makes a request to an address: over http or https, as that says. */
export function requestOver({ protocol }: URL) {
  return protocol === 'https:' ? overHttps : overHttp
}
