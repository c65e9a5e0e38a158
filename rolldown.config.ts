// Packs the bot and its packages into a few files, for the image and whoever wants its quick start: reading and linking
// hundreds of modules one by one takes longer than all else that a start does. Nothing else needs it; where Bellhop is
// worked on, and for every other command, Node runs the sources as they are.
import { defineConfig } from 'rolldown'

export default defineConfig({
  input: 'src/start.js',
  platform: 'node',
  // The image has none where it builds; what comes out must be the same.
  tsconfig: false,
  logLevel: 'warn',
  // Something that is not found would be missed only when somebody needs it.
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message)
  },
  output: {
    dir: 'dist',
    cleanDir: true,
    // As deep as the rooms in src: what they read from beside the sources, they find from here as well.
    chunkFileNames: 'parts/[name].js',
    // Not minified either: a stack in the log is to be read.
    keepNames: true,
  },
})
