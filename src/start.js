// Starts the bot, from `npm start` and when built. Plain JavaScript, so that an old Node can read this file and say that it
// is too old. Keeps the compiled code of all files for the next start: most of a start is compiling.
import { join } from 'node:path'
import './terminal/check-node.js'

// Not imported by name: an older Node, whose `node:module` lacks the name, would end before it says why.
const { enableCompileCache } = process.getBuiltinModule('node:module')
// The cache isn't in the temporary directory, Node's own choice: code that lies there may be somebody else's, and would be
// run. If the cache can't be written, the start takes longer.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/bellhop'))
import('./main.ts')
