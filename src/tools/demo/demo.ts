import { playPayment } from './demo-payment.ts'
import { exchanger } from './exchange.ts'
import { narrator } from './narrator.ts'
import { openShop } from './shop.ts'
import { command } from '../command.ts'
import { startThrowawayHub } from '../local/throwaway-hub.ts'
import { runProgram } from '../program.ts'

/** Plays one whole payment against a fresh hub. The exit code is 0 when all of it went as it must. */
async function play(): Promise<number> {
  const tell = narrator()
  const open: (() => Promise<void> | void)[] = []
  try {
    tell.step('A fresh hub starts on this machine, with the sandbox as its PSP')
    const hub = await startThrowawayHub()
    open.push(hub.stop)
    tell.detail('hub', hub.url)
    const shop = await openShop()
    open.push(shop.close)
    tell.detail('shop', shop.url)
    const operatorToken = hub.secrets['OPERATOR_TOKEN'] ?? ''
    await playPayment({ hubUrl: hub.url, exchange: exchanger(hub.url, tell), tell, operatorToken, shop })
    console.log('\nThe payment is complete: paid, reported, and traced.')
    return 0
  } catch (error) {
    tell.failed(error)
    return 1
  } finally {
    for (const close of open.toReversed()) await close()
  }
}

/** `npm run demo`. */
const demo = command({
  name: 'npm run demo --',
  does: 'plays one whole payment against a fresh hub on this machine, and prints its trace',
  example: 'npm run demo',
  args: {},
  run: play,
})

process.exitCode = await runProgram(demo)
