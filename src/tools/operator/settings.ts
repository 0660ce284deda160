import { Settings } from '../../contract/hub-health.ts'
import { hubCommand } from './hub-command.ts'

export const settingsShow = hubCommand({
  name: 'settings show',
  does: 'shows the settings of the hub; of a secret, whether it is set',
  example: 'settings show',
  args: {},
  run: (api) => api(Settings, 'GET', '/settings'),
  show: ({ version, settings }, view) =>
    [
      `Release ${version}`,
      '',
      view.table(
        ['setting', 'value', 'meaning'],
        settings.map(({ name, value, meaning }) => [name, value === '' ? '(empty)' : value, meaning]),
      ),
    ].join('\n'),
})
