// Where `npm start` begins, and the built bot. What is compiled once is kept for the next start, beside the packages:
// most of a start is compiling. Plain JavaScript, so that main.ts is kept as well and no TypeScript has to be read.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Not in the temporary directory, Node's own choice: what lies there may be somebody else's, and would be run. Where
// nothing can be kept, the start takes longer.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/bellhop'))
await import('./main.ts')
