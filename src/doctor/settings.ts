// Doctor's look at the settings, as the start judges them, and at versions.

import { version } from '../config/version.ts'
import { type Check, type Finding, finding } from './check.ts'

const name = 'Settings'

/**
 * @param problems - As ConfigError has them: a variable, a colon, what is wrong and how to mend it.
 * @param doubts - What looks wrong, in the same form.
 */
export function settingCheck(problems: readonly string[], doubts: readonly string[]): Check {
  const findings = [
    ...problems.map((problem) => problemOf(name, problem)),
    ...doubts.map((doubt): Finding => ({ ...problemOf(name, doubt), state: 'amber' })),
  ]
  const all = finding(name, 'green', 'Everything that is required is set.')
  return { name, by: 'operator', run: async () => (findings.length === 0 ? [all] : findings), ifSlow: '' }
}

/** The first sentence says what is wrong, the rest what to do. */
export function problemOf(about: string, problem: string): Finding {
  const [, variable = '', said = problem] = /^([A-Z_]+: )?(.*)$/s.exec(problem) ?? []
  const end = /[.:](?= \p{Lu})/u.exec(said)
  if (end === null) return finding(about, 'red', problem, 'Correct it.')
  return finding(about, 'red', `${variable}${said.slice(0, end.index)}.`, said.slice(end.index + 2))
}

/** Versions of Bellhop and of what it runs on; the database's own stands in its line. */
export function versionCheck(): Check {
  const found = `Bellhop ${version} on Node ${process.versions.node}, ${process.platform}.`
  return { name: 'Versions', ifSlow: '', run: async () => [finding('Versions', 'green', found)] }
}
