// Doctor’s look at the settings, as the start judges them, and at versions.
import { version } from '../config/version.ts'
import { amber, type Check, green, problemIn } from './check.ts'

/**
 * @param problems - As ConfigError has them.
 * @param doubts - What looks wrong, in the same form.
 */
export function settingCheck(problems: readonly string[], doubts: readonly string[]): Check {
  const wrong = problems.map(problemIn)
  const odd = doubts.map(problemIn).map(({ found, mend }) => amber(found, mend))
  const found = [...wrong, ...odd]
  const all = green('Everything that is required is set.')
  return { name: 'Settings', by: 'operator', run: async () => (found.length === 0 ? [all] : found) }
}

/** Versions of Bellhop and of what it runs on; the database's own stands in its line. */
export function versionCheck(): Check {
  const found = `Bellhop ${version} on Node ${process.versions.node}, ${process.platform}.`
  return { name: 'Versions', run: async () => [green(found)] }
}
