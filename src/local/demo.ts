import { once } from 'node:events'
import { createServer } from 'node:http'
import { ask } from '../cli/operator-api.ts'
import { trigger } from '../kit/trigger.ts'
import { command, runProgram, runWords } from '../programs/program.ts'
import { listenAnywhere } from '../programs/free-port.ts'
import { startThrowawayHub } from './local-hub.ts'

async function play(): Promise<number> {
  console.log('A fresh hub starts on this machine, with the sandbox as its PSP …')
  const hub = await startThrowawayHub()
  // The shop accepts every report.
  const shop = createServer((request, response) => request.resume().on('end', () => response.end()))
  try {
    const shopUrl = `http://localhost:${await listenAnywhere(shop)}/report`
    process.env['HUB_URL'] = hub.url
    process.env['OPERATOR_TOKEN'] = hub.secrets['OPERATOR_TOKEN']
    const pos = await ask('createPointOfSale', { body: { name: 'Demo shop' } })
    process.env['HUB_API_KEY'] = pos.apiKey
    console.log(`The hub is on ${hub.url}, and has a point of sale, whose reports go to ${shopUrl}\n`)
    return await runWords(trigger, ['paid', '--report-url', shopUrl])
  } finally {
    shop.closeAllConnections()
    shop.close()
    await Promise.all([once(shop, 'close'), hub.stop()])
  }
}

const demo = command({
  name: 'npm run demo --',
  does: 'plays one whole payment against a fresh hub on this machine, and prints its trace',
  example: 'npm run demo',
  args: {},
  run: async () => {
    try {
      return await play()
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      return 1
    }
  },
})

process.exitCode = await runProgram(demo)
