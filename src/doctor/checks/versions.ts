// Versions of Bellhop and of what it runs on.
import { version } from '../../config/version.ts'
import type { Check } from './check.ts'

/** The database's own stands in its line. */
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
