// The start of `npm start`, and of the built bot. Looks first whether this Node is new enough, so an old one reads this
// file as well. What is compiled once is kept for the next start, beside the packages: most of a start is compiling.
// Plain JavaScript, so that main.ts is kept as well and no TypeScript has to be read.
import { join } from 'node:path'
import './terminal/check-node.js'

// Taken by name only now: an older Node, which has no such name, would end before it says why.
const { enableCompileCache } = process.getBuiltinModule('node:module')
// Not in the temporary directory, Node's own choice: what lies there may be somebody else's, and would be run. Where
// nothing can be kept, the start takes longer.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/bellhop'))
import('./main.ts')
