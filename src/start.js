// Where `npm start` begins. What is compiled once is kept for the next start, where the system has a place for it: most
// of a start is compiling. Plain JavaScript, so that main.ts is kept as well and no TypeScript has to be read.
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./main.ts')
