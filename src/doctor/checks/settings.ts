// Doctor's look at the settings: what is wrong with them, and what is not set that people will miss.
import type { Config } from '../../config/config.ts'
import { hostWithoutPreviews, unfurlDomainOf } from '../../config/installed.ts'
import type { Ability } from '../../slack/workspace/scopes.ts'
import type { Check, Finding } from './check.ts'
import { refusedTokensFinding } from './running.ts'

const name = 'Settings'

/** @param problems - As ConfigError has them: a variable, a colon, what is wrong and how to mend it. */
export function settingProblems(problems: readonly string[]): readonly Finding[] {
  return problems.map((problem): Finding => {
    const [variable, said] = splitProblem(problem)
    const [found, mend] = foundAndMend(said)
    return { name, state: 'red', found: `${variable} ${found}`.trim(), mend }
  })
}

/** The same, where the setting is right and what it leads to is not. */
export function problemOf(about: string, problem: string): Finding {
  const [variable, said] = splitProblem(problem)
  const [found, mend] = foundAndMend(said)
  return { name: about, state: 'red', found: `${variable}: ${found}`, mend }
}

function splitProblem(problem: string): readonly [variable: string, said: string] {
  const [, variable = '', said = problem] = /^([A-Z_]+): (.*)$/s.exec(problem) ?? []
  return [variable, said]
}

/** The first sentence says what is wrong, the rest what to do. */
function foundAndMend(said: string): readonly [found: string, mend: string] {
  const end = /[.:](?= \p{Lu})/u.exec(said)
  if (end === null) return [said, 'Correct it.']
  return [`${said.slice(0, end.index)}.`, said.slice(end.index + 2)]
}

export type Known = Pick<
  Config,
  'unfurls' | 'monitor' | 'publicUrl' | 'databaseUrl' | 'encryptionKeys' | 'doubts'
> & {
  readonly slack: Pick<Config['slack'], 'transport' | 'bot'>
}

/** What the operator has switched off, or not set up. */
export function unusedIn(config: Pick<Known, 'unfurls' | 'monitor'>): readonly Ability[] {
  return unfurlDomainOf(config) === undefined ? ['unfurls'] : []
}

function settingFindings(config: Known): readonly Finding[] {
  const missed = [
    ...config.doubts.map((doubt): Finding => ({ ...problemOf(name, doubt), state: 'amber' })),
    ...(config.monitor.alertUrl === undefined ? [noAlertUrl] : []),
    ...(hostWithoutPreviews(config) === undefined ? [] : [noPreviews]),
    ...(config.slack.transport.kind === 'http' && config.publicUrl === undefined ? [noPublicUrl] : []),
  ]
  const keys = config.encryptionKeys.length
  const sealed = keys === 1 ? 'one key seals the tokens' : `the first of ${keys} keys seals the tokens`
  const all: Finding = { name, state: 'green', found: `All that are required are set; ${sealed}.` }
  return [...missed, all]
}

/** @param figures - Those of a bot that runs on this machine; undefined where none does, or nobody asks for them. */
export function settingCheck(config: Known, figures: () => Promise<string | undefined> = noFigures): Check {
  const installs = async () =>
    config.slack.bot.kind === 'oauth'
      ? [refusedTokensFinding(byOAuth.name, (await figures()) ?? '') ?? byOAuth]
      : []
  return { name, run: async () => [...settingFindings(config), ...(await installs())], ifSlow: '' }
}

const noFigures = async () => undefined

/** What is shown leaves hosts out, so that it can be passed on. */
const byOAuth: Finding = {
  name: 'Installs',
  state: 'green',
  found: 'Each workspace installs Bellhop by itself, at /slack/install under PUBLIC_URL.',
}

const noAlertUrl: Finding = {
  name: 'Links of alerts',
  state: 'amber',
  found:
    'MONITOR_ALERT_URL is not set: cards have no Open in monitoring, and links cannot be pasted or previewed.',
  mend: 'Set it to the form of your alerts’ links, as .env.example shows it, and start Bellhop again.',
}

const noPreviews: Finding = {
  name: 'Link previews',
  state: 'amber',
  found:
    'Slack previews no links of the host in MONITOR_ALERT_URL: it takes letters, digits, - and dots only.',
  mend: 'Use another name of that host, or set UNFURL=off. Then start Bellhop again.',
}

const noPublicUrl: Finding = {
  name: 'Public address',
  state: 'amber',
  found: 'PUBLIC_URL is not set: the manifest for HTTP cannot be printed.',
  mend: 'Set it to the address where Slack reaches Bellhop.',
}
