// The start of `npm start`, and of the built bot. Plain JavaScript: an old Node reads it, to say that it is too old. What is
// compiled once is kept for the next start, main.ts too: most of a start is compiling.
import { join } from 'node:path'
import './terminal/check-node.js'

// Not imported: an older Node, whose `node:module` has no such name, would end before it says why.
const { enableCompileCache } = process.getBuiltinModule('node:module')
// Not in the temporary directory, Node's own choice: code that lies there may be somebody else's, and would be run. Where
// the cache can't be written, the start takes longer.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/bellhop'))
import('./main.ts')
