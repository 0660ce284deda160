import { option, word } from '../program.ts'
import { UsageError, oneNamed } from '../usage-error.ts'
import { accessOf, hubUrl, operatorsHub, profileFile, readProfiles, writeProfiles } from './chosen-hub.ts'
import { hubCommand } from './hub-command.ts'
import { answerOf, reach } from './operator-api.ts'
import { readSecret } from './prompt.ts'

const NAME = word('a name of your own for the hub')

export const login = hubCommand({
  does: 'keep the address and the operator token of a hub under a name, which HUB_PROFILE then chooses',
  example: 'live --url https://pay.example.com',
  args: { name: NAME, url: { ...option('URL', 'the address of the hub'), required: true } },
  run: async ({ name, url: given }) => {
    const url = hubUrl(given, 'the operator token', '--url')
    const token = await readSecret('Operator token')
    if (token === '') throw new UsageError('Give the operator token on standard input.')
    const profile = { url, token, access: accessOf(process.env) }
    const hub = operatorsHub({ ...profile, name })
    const me = await answerOf('showMe', await reach('showMe', {}, { hub }))
    writeProfiles({ ...readProfiles(), [name]: profile })
    return { profile: name, url, name: me.name, role: me.role }
  },
  show: (kept) => [
    `You are ${kept.name} (${kept.role}) at ${kept.url}. Kept in ${profileFile()}, which you alone can read.`,
    `Choose this hub with: export HUB_PROFILE=${kept.profile}`,
  ],
})

export const logout = hubCommand({
  does: 'forget a hub that `login` kept; its token lives on until it is revoked',
  example: 'live',
  args: { name: NAME },
  run: async ({ name }) => {
    const all = readProfiles()
    const [, { url }] = oneNamed('profile', name, Object.entries(all), ([kept]) => kept)
    const { [name]: _, ...others } = all
    writeProfiles(others)
    return { profile: name, url }
  },
  show: ({ profile, url }) => `The profile ${profile} of ${url} is forgotten.`,
})

export const list = hubCommand({
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
