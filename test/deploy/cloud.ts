import { startCloudflareApi } from '../support/cloudflare-api/cloudflare-api.ts'
import { openInternet } from '../support/cloudflare-api/internet.ts'
import { makeClone } from './clone.ts'

/** A clone of the project, and a local Cloudflare to which it can deploy. */
export async function openCloud() {
  const [api, clone] = await Promise.all([startCloudflareApi(), makeClone()])
  const internet = await openInternet(api.account)
  const env = {
    ...internet.env,
    CLOUDFLARE_API_BASE_URL: api.url,
    CLOUDFLARE_API_TOKEN: api.account.token,
    CLOUDFLARE_ACCOUNT_ID: api.account.id,
  }
  const close = async () => {
    await internet.close()
    await api.stop()
    await clone.remove()
  }
  return { ...api, internet, clone, env, deploy: (...words: string[]) => clone.deploy(words, env), close }
}
export type Cloud = Awaited<ReturnType<typeof openCloud>>
