// `npm run manifest`: prints the Slack app's manifest for this installation, with `-- --json` as JSON. `-- --validate`
// asks Slack whether it takes it; `-- --socket` is for Socket Mode, before there is a SLACK_APP_TOKEN to say so. Exits
// with 1 when there is nothing good to paste.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Environment } from '../config/config.ts'
import { parseInstalled, parseValidation } from '../config/installed.ts'
import { ConfigError, UserError } from '../errors.ts'
import { createLog } from '../log/log.ts'
import { type ManifestVerdict, validateManifest } from '../slack/workspace/probe.ts'
import { asJson, fillManifest } from '../web/manifest.ts'
import { manifestProblems } from '../web/manifest-rules.ts'
import { type Print, runHere } from './command.ts'

const problem =
  'npm run manifest prints YAML. Add -- --json for JSON, or -- --validate to have Slack check it, not both. Add -- --socket for Socket Mode.'

type ManifestOrder =
  | { readonly kind: 'print'; readonly as: 'yaml' | 'json' }
  | { readonly kind: 'validate' }
  | { readonly kind: 'problem'; readonly problem: string }

const orders: ReadonlyMap<string | undefined, ManifestOrder> = new Map([
  [undefined, { kind: 'print', as: 'yaml' }],
  ['--json', { kind: 'print', as: 'json' }],
  ['--validate', { kind: 'validate' }],
])

/** One word at most: what is not known is refused, not passed over. The words are not repeated: one may be a token. */
function parseManifestOrder(words: readonly string[]): ManifestOrder {
  const order = words.length > 1 ? undefined : orders.get(words[0])
  return order ?? { kind: 'problem', problem }
}

export async function runManifest(words: readonly string[], env: Environment, print: Print): Promise<0 | 1> {
  try {
    const wantsSocket = words.includes('--socket')
    const order = parseManifestOrder(words.filter((word) => word !== '--socket'))
    if (order.kind === 'problem') throw new ConfigError([order.problem])
    const filled = fill(parseInstalled(env, wantsSocket), order.kind === 'print', print)
    if (order.kind === 'validate') await ask(filled, env, print)
    else await show(filled, order.as, print)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    print.error(error)
    return 1
  }
}

function fill(installed: ReturnType<typeof parseInstalled>, isToBePasted: boolean, print: Print): string {
  const { hostWithoutPreviews: host, isGuess } = installed
  if (isGuess && isToBePasted) {
    print.error(
      new UserError(
        'PUBLIC_URL is set and SLACK_APP_TOKEN is not, so this manifest is for HTTP. For Socket Mode, run `npm run manifest -- --socket`.',
      ),
    )
  }
  if (host !== undefined) {
    print.error(
      new UserError(
        `MONITOR_ALERT_URL: Slack can’t preview links to ${host}: it takes only letters, digits, - and dots. This manifest leaves previews out; everything else works.`,
      ),
    )
  }
  return fillManifest(readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8'), installed)
}

async function show(filled: string, as: 'yaml' | 'json', print: Print): Promise<void> {
  const problems = manifestProblems(parse(filled))
  if (problems.length > 0) throw new ConfigError(['Slack would refuse this manifest:', ...problems])
  await print.text(as === 'json' ? asJson(filled) : filled)
}

/** Slack judges alone here: it may know more than our own rules, or less. */
async function ask(filled: string, env: Environment, print: Print): Promise<void> {
  const log = createLog({ level: 'silent' })
  const verdict = await validateManifest({ ...parseValidation(env), manifest: asJson(filled), log })
  const lines = renderVerdict(verdict)
  if (verdict.kind !== 'accepted') throw new ConfigError(lines)
  print.lines(lines)
}

/** Slack's verdict on a manifest, in lines for the terminal. */
export function renderVerdict(verdict: ManifestVerdict): readonly string[] {
  switch (verdict.kind) {
    case 'accepted':
      return ['Slack accepts this manifest.']
    case 'refused':
      return [
        'Slack refuses this manifest:',
        ...verdict.complaints.map(({ message, pointer }) =>
          pointer === '' ? message : `${pointer}: ${message}`,
        ),
      ]
    case 'bad-token':
      return [
        `SLACK_CONFIG_TOKEN: Slack refuses it (${verdict.why}). It works for 12 hours: generate a new one at api.slack.com/apps, under Your App Configuration Tokens.`,
      ]
    case 'no-verdict':
      return [
        verdict.why === undefined
          ? 'Slack didn’t answer. Check that this machine can reach slack.com, then try again.'
          : `Slack didn’t check the manifest (${verdict.why}). Try again in a minute.`,
      ]
    default:
      return verdict satisfies never
  }
}

if (import.meta.main) await runHere(runManifest)
