// `npm run manifest`: prints the Slack app's manifest for this installation, with `-- --json` as JSON. `-- --socket` is
// for Socket Mode, before there is a SLACK_APP_TOKEN to say so. Exits with 1 when there is nothing good to paste.
import { readFileSync } from 'node:fs'
import { type Environment, givenIn } from '../config/config.ts'
import { parseInstalled } from '../config/installed.ts'
import { UserError } from '../errors.ts'
import { asJson, fillManifest } from '../web/manifest.ts'
import { orSay, type Print, runHere } from './command.ts'

/** The words are not repeated: one may be a token. */
const usage =
  'npm run manifest prints YAML. Add -- --json for JSON, and -- --socket for Socket Mode. It takes nothing else.'
const isGuess =
  'PUBLIC_URL is set and SLACK_APP_TOKEN is not, so this manifest is for HTTP. For Socket Mode, run `npm run manifest -- --socket`.'

export function runManifest(words: readonly string[], env: Environment, print: Print): Promise<0 | 1> {
  return orSay(print, 1, async () => {
    if (words.some((word) => word !== '--json' && word !== '--socket')) throw new UserError(usage)
    const installed = parseInstalled(env, words.includes('--socket'))
    const isDecided = installed.reach.kind === 'socket' || givenIn(env).SLACK_SIGNING_SECRET !== undefined
    if (!isDecided) print.error(new UserError(isGuess))
    const template = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')
    const filled = fillManifest(template, installed)
    await print.text(words.includes('--json') ? asJson(filled) : filled)
    return 0
  })
}

if (import.meta.main) await runHere(runManifest)
