// Tells whether a version of Node is new enough. Any Node that has modules reads this file: it is written as in 2020.

/** package.json says the same. */
const major = 24
const minor = 15

/**
 * What to tell whoever runs Bellhop with a Node that is too old; undefined when it is not.
 * @param {string} version - As in `24.15.0`.
 * @returns {string | undefined}
 */
export function nodeProblem(version) {
  const parts = version.split('.')
  const isNewer = Number(parts[0]) > major
  if (isNewer || (Number(parts[0]) === major && Number(parts[1]) >= minor)) return undefined
  return `Bellhop needs Node ${major}.${minor} or newer, and this is ${version}. Install a newer one (https://nodejs.org), or use the container.`
}
