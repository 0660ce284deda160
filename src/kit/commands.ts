import type { Command } from '../programs/program.ts'
import { PROGRAM } from '../programs/chosen-hub.ts'
import { VERSION } from '../platform/version.ts'
import { certifyShop } from './certify/certify-shop.ts'
import { doctor } from './doctor.ts'
import { listen } from './listen.ts'
import { trigger } from './trigger.ts'
import { verify } from './verify.ts'

/** The commands of the package that a hub hands out to developers of shops (src/build/kit.ts). */
export const KIT: Command = {
  name: PROGRAM,
  does: 'The kit for developers of shops. It needs HUB_API_KEY, the key of a point of sale in test mode; HUB_URL chooses another hub.',
  example: `${PROGRAM} trigger paid`,
  args: {},
  version: VERSION,
  run: null,
  commands: { doctor, listen, trigger, verify, certify: certifyShop },
}
