// Doctor's look at the settings: what is wrong with them, and what is not set that people will miss; and at versions.

import type { Config } from '../../config/config.ts'
import { hostWithoutPreviews, unfurlDomainOf } from '../../config/installed.ts'
import { version } from '../../config/version.ts'
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

function settingFindings(config: Known, isRunning: boolean): readonly Finding[] {
  const missed = [
    ...settingProblems(config.doubts).map((doubt): Finding => ({ ...doubt, state: 'amber' })),
    ...(config.monitor.alertUrl === undefined ? [noAlertUrl] : []),
    ...(hostWithoutPreviews(config) === undefined ? [] : [noPreviews]),
    // A bot that runs has its manifest, and what comes in over HTTP shows that Slack reaches it.
    ...(!isRunning && config.slack.transport.kind === 'http' && config.publicUrl === undefined
      ? [noPublicUrl]
      : []),
  ]
  const keys = config.encryptionKeys.length
  const sealed = keys === 1 ? 'One key encrypts' : `The first of ${keys} keys encrypts`
  const all: Finding = {
    name,
    state: 'green',
    found: `Everything that is required is set. ${sealed} the tokens.`,
  }
  return [...missed, all]
}

/**
 * @param how.isRunning - A bot works with them.
 * @param how.figures - Those of a bot that runs on this machine; undefined where none does, or nobody asks for them.
 */
export function settingCheck(
  config: Known,
  how: { readonly isRunning: boolean; readonly figures?: (() => Promise<string | undefined>) | undefined },
): Check {
  const { isRunning, figures = noFigures } = how
  const installs = async () =>
    config.slack.bot.kind === 'oauth'
      ? [refusedTokensFinding(byOAuth.name, (await figures()) ?? '') ?? byOAuth]
      : []
  return {
    name,
    by: 'operator',
    run: async () => [...settingFindings(config, isRunning), ...(await installs())],
    ifSlow: '',
  }
}

const noFigures = async () => undefined

/** What is shown leaves hosts out, so that it can be passed on. */
const byOAuth: Finding = {
  name: 'Installs',
  state: 'green',
  found: 'Each workspace installs Bellhop itself, at /slack/install under PUBLIC_URL.',
}

const noAlertUrl: Finding = {
  name: 'Alert links',
  state: 'amber',
  found:
    'MONITOR_ALERT_URL isn’t set, so cards have no Open in monitoring, and Bellhop can’t look up or preview links.',
  mend: 'Set it to the pattern of your alerts’ links, as .env.example shows, and restart Bellhop.',
}

const noPreviews: Finding = {
  name: 'Link previews',
  state: 'amber',
  found:
    'Slack can’t preview links to the host in MONITOR_ALERT_URL: in the names of hosts, it allows only letters, digits, hyphens and dots.',
  mend: 'Use another name for that host, or set UNFURL=off. Then restart Bellhop.',
}

const noPublicUrl: Finding = {
  name: 'Public address',
  state: 'amber',
  found: 'PUBLIC_URL isn’t set, so Bellhop can’t print a manifest for HTTP.',
  mend: 'Set it to the address at which Slack reaches Bellhop.',
}

/** Versions of Bellhop and of what it runs on; the database's own stands in its line. */
export function versionCheck(): Check {
  const name = 'Versions'
  return {
    name,
    ifSlow: '',
    run: async () => {
      const found = `Bellhop ${version} on Node ${process.versions.node}, ${process.platform}.`
      return [{ name, state: 'green', found }]
    },
  }
}
