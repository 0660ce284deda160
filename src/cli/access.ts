import { group, option, word } from '../programs/program.ts'
import { UsageError, oneNamed, quoted } from '../programs/usage-error.ts'
import { accessOf, hubUrl, profileFile, readProfiles, writeProfiles } from '../programs/chosen-hub.ts'
import { operatorsHub } from './operators-hub.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { answerOf, reach } from './operator-api.ts'
import { readSecret } from '../programs/prompt.ts'

const create = operationCommand('createOperatorToken', {
  example: '--name "Night desk" --role support',
  advice: ({ name }) =>
    `The hub may have made a token that you have not seen. End it: token revoke ${quoted(String(name))}`,
  show: (made, view) => [
    view.answer(made),
    '',
    'Keep the token now: it is not shown again. Use it as OPERATOR_TOKEN.',
  ],
})

const list = operationCommand('listOperatorTokens', { json: ({ tokens }) => tokens })

const revoke = operationCommand('revokeOperatorToken', {
  example: '"Night desk"',
})

export const token = group('operator tokens', 'create --name "Night desk" --role support', {
  create,
  list,
  revoke,
})

export const session = group('sessions of the console', 'list', {
  list: operationCommand('listSessions', { json: ({ sessions }) => sessions }),
  end: operationCommand('endOneSession'),
})

export const whoami = operationCommand('showMe')

const NAME = word('a name of your own for the hub')
/** A name that every shell takes as one word, and that a record of profiles can have. */
const PROFILE_NAME = /^[A-Za-z0-9][\w.-]*$/

export const login = hubCommand({
  does: 'keep the address and the operator token of a hub under a name; HUB_PROFILE then chooses it',
  example: 'live --url https://pay.example.com',
  args: { name: NAME, url: { ...option('URL', 'the address of the hub'), required: true } },
  run: async ({ name, url: given }) => {
    if (!PROFILE_NAME.test(name))
      throw new UsageError('NAME must be of letters, digits, dots and hyphens, such as live')
    const url = hubUrl(given, 'the operator token', '--url')
    const secret = await readSecret('Operator token')
    if (secret === '') throw new UsageError('Give the operator token on standard input.')
    const profile = { url, token: secret, access: accessOf(process.env) }
    const hub = operatorsHub({ ...profile, name })
    const me = await answerOf('showMe', await reach('showMe', {}, { hub }))
    writeProfiles({ ...readProfiles(), [name]: profile })
    return { profile: name, url, name: me.name, role: me.role }
  },
  show: (kept) => [
    `You are ${kept.name} (${kept.role}) at ${kept.url}. The token is in ${profileFile()}, which only you can read.`,
    `Choose this hub with: export HUB_PROFILE=${kept.profile}`,
  ],
})

export const logout = hubCommand({
  does: 'forget a hub that `login` kept; its token stays valid until you revoke it',
  example: 'live',
  args: { name: NAME },
  run: async ({ name }) => {
    const all = readProfiles()
    const [, { url }] = oneNamed('profile', name, Object.entries(all), ([kept]) => kept)
    const { [name]: _, ...others } = all
    writeProfiles(others)
    return { profile: name, url }
  },
})

export const profiles = hubCommand({
  does: 'list the hubs that `login` keeps',
  run: async () => Object.entries(readProfiles()).map(([profile, { url }]) => ({ profile, url })),
  show: (all, view) =>
    view.list('There is no profile yet: hub login NAME --url URL', all, [
      [
        'profile',
        ({ profile }) => (profile === process.env['HUB_PROFILE'] ? `${profile} (chosen)` : profile),
      ],
      ['hub', 'url'],
    ]),
})
