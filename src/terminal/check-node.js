// Ends the process, in words, when its Node is too old for Bellhop. Any Node that has modules reads this file, and `npm
// start` runs it first, as an old Node may not know the options of the bot. package.json names the same version.
const { node } = process.versions
const [major, minor] = node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `Bellhop needs Node 24.15 or newer, and this is ${node}. Install a newer one (https://nodejs.org), or use the container.`,
  )
  process.exit(1)
}
