// Ends the process, in words, when its Node is too old for Bellhop: where the bot begins, and before each npm script,
// whose options an old Node may not know. Any Node that has modules reads this file.
import { nodeProblem } from './node-version.js'

const problem = nodeProblem(process.versions.node)
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}
