import { option, word } from '../program.ts'
import { UsageError, notAmong, quoted } from '../usage-error.ts'
import { accessOf, hubUrl, operatorsHub } from './chosen-hub.ts'
import { hubCommand } from './hub-command.ts'
import { answerOf, reach } from './operator-api.ts'
import { profileFile, profiles, writeProfiles } from './profile-file.ts'
import { readSecret } from './prompt.ts'

const NAME = word('a name of your own for the hub')

export const login = hubCommand({
  does: 'keeps the address and the operator token of a hub under a name, which HUB_PROFILE then chooses',
  example: 'live --url https://pay.example.com',
  args: { name: NAME, url: { ...option('URL', 'the address of the hub'), required: true } },
  run: async ({ name, url: given }) => {
    const url = hubUrl(given, 'the operator token', '--url')
    const token = await readSecret('Operator token')
    if (token === '') throw new UsageError('Give the operator token on standard input.')
    const access = accessOf(process.env)
    const profile = { url, token, ...(access ? { access } : {}) }
    const hub = operatorsHub({ ...profile, name })
    const me = await answerOf('showMe', await reach('showMe', {}, { hub }))
    writeProfiles({ ...profiles(), [name]: profile })
    return { profile: name, url, name: me.name, role: me.role }
  },
  show: (kept) =>
    `You are ${kept.name} (${kept.role}) at ${kept.url}. Kept in ${profileFile()}, which you alone can read.\n` +
    `Choose this hub with: export HUB_PROFILE=${kept.profile}`,
})

export const logout = hubCommand({
  does: 'forgets a hub that `login` kept; its token lives on until it is revoked',
  example: 'live',
  args: { name: NAME },
  run: async ({ name }) => {
    const { [name]: gone, ...others } = profiles()
    if (!gone)
      throw new UsageError(`There is no profile ${quoted(name)}. ${notAmong(Object.keys(others), name)}`)
    writeProfiles(others)
    return { profile: name, url: gone.url }
  },
  show: ({ profile, url }) => `The profile ${profile} of ${url} is forgotten.`,
})

export const list = hubCommand({
  does: 'lists the hubs that `login` keeps',
  run: async () => Object.entries(profiles()).map(([profile, { url }]) => ({ profile, url })),
  show: (all, view) =>
    view.list('There is no profile yet: hub login NAME --url URL', all, {
      profile: ({ profile }) => (profile === process.env['HUB_PROFILE'] ? `${profile} (chosen)` : profile),
      hub: ({ url }) => url,
    }),
})
