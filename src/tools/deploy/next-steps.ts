import type { SecretsPlan } from './secrets-plan.ts'

/** A hub that a deploy has found well. `config` are the words by which wrangler finds its settings. */
type Deployed = { url: string; release: string; config: readonly string[] }

/** What the operator does next. `ownFile` is what a first deploy has made, where it is there. */
export function nextSteps(
  { url, release, config }: Deployed,
  secrets: SecretsPlan,
  ownFile: string | null,
): string {
  const file = secrets.from === 'file' ? secrets.path : ownFile
  const wrangler = ['npx wrangler', ...config].join(' ')
  return [
    '',
    `The hub runs at ${url} (release ${release}), and is well.`,
    file === null
      ? `Its operator token is the OPERATOR_TOKEN that it was given before. If it is lost, set another: ${wrangler} secret put OPERATOR_TOKEN`
      : `Its operator token is OPERATOR_TOKEN in ${file}. Keep a copy of that file in a safe place: Cloudflare shows no secret again.`,
    ...(config.length > 0 ? [`Wrangler's own commands for it begin with: ${wrangler}`] : []),
    'Next, make a point of sale:',
    `  export HUB_URL=${url}`,
    file === null
      ? '  export OPERATOR_TOKEN=…'
      : `  export OPERATOR_TOKEN=$(sed -n 's/^OPERATOR_TOKEN=//p' '${file}')`,
    '  npm run hub -- pos create --name "Shop 1"',
  ].join('\n')
}
