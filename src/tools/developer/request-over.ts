import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

/** What makes a request to an address: over http or https, as that says. */
export const requestOver = ({ protocol }: URL) => (protocol === 'https:' ? overHttps : overHttp)
