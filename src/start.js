// The start of `npm start`, and of the built bot. Plain JavaScript: an old Node reads it, to say that it is too old. What is
// compiled once is kept for the next start, main.ts too: most of a start is compiling.
import { join } from 'node:path'
import './terminal/check-node.js'

// Taken by name only now: an older Node, which has no such name, would end before it says why.
const { enableCompileCache } = process.getBuiltinModule('node:module')
// Not in the temporary directory, Node's own choice: what lies there may be somebody else's, and would be run. Where
// nothing can be kept, the start takes longer.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/bellhop'))
import('./main.ts')
