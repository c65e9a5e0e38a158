// Modules that a bot has loaded, told by itself when it ends.

/** An option for Node: has the bot print which packages, which parts of a built one and which parts of Node it has loaded. */
export const tellLoaded = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    load(url, context, next) {
      loaded.add(/.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1])
      loaded.add(/\\/dist\\/(parts\\/.+)/.exec(url)?.[1])
      return next(url, context)
    },
  })
  process.once('exit', () => {
    const ofNode = process.moduleLoadList.filter((one) => /deps/.test(one))
    console.error('loaded:', ...loaded, ...ofNode)
  })
`)}`

/** @param output - All that the bot has printed. */
export function loadedIn(output: string): readonly string[] {
  const [, words = ''] = /^loaded: (.*)$/m.exec(output) ?? []
  return words.split(' ')
}
