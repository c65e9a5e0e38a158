// Assets of the page: its scripts and packages as one file, its style sheets as another, and fonts.
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../page/', import.meta.url))

const { resolve } = createRequire(import.meta.url)
const lato = dirname(resolve('@fontsource/lato/index.css'))
const mono = dirname(resolve('@fontsource/source-code-pro/index.css'))
const twemoji = dirname(resolve('twemoji-colr-font/package.json'))

const files: Readonly<Record<string, string>> = {
  '/icon.svg': join(page, 'icon.svg'),
  // Drawn for this page: one glyph, which none of the packages has.
  '/fonts/dot.woff': join(page, 'dot.woff'),
  '/fonts/mono.woff2': join(mono, 'files/source-code-pro-latin-400-normal.woff2'),
  '/fonts/twemoji.woff2': join(twemoji, 'twemoji.woff2'),
  ...Object.fromEntries(
    ['400-normal', '400-italic', '700-normal', '700-italic', '900-normal'].map((face) => [
      `/fonts/lato-${face}.woff2`,
      join(lato, `files/lato-latin-${face}.woff2`),
    ]),
  ),
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

export interface Asset {
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
  /** It is another package’s, and stays as it is. */
  readonly isLasting: boolean
}

/** What is at this address, ready to be sent; undefined when the page has nothing there. */
export async function readAsset(pathname: string): Promise<Asset | undefined> {
  const type = types[extname(pathname)]
  if (type === undefined) return undefined
  const text =
    pathname === '/page.css' ? readStyles(join(page, 'page.css')) : (await bundled())[pathname]
  if (text !== undefined) return { type, body: text, isLasting: false }
  const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined
  if (file === undefined) return undefined
  return {
    type,
    body: new Uint8Array(readFileSync(file)),
    isLasting: pathname.startsWith('/fonts/'),
  }
}

/** A style sheet with those that it imports in their places. */
function readStyles(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(
    /^@import url\("(\.[^"]+)"\);$/gm,
    (_, imported: string) => readStyles(join(dirname(path), imported)),
  )
}

interface Bundle {
  /** By address. */
  readonly texts: Readonly<Record<string, string>>
  /** Of what it is made. */
  readonly sources: readonly string[]
  readonly madeAt: number
}

let bundle: Promise<Bundle> | undefined

/** Bundled once, and again when a source was saved: reloading the page shows what was changed. */
async function bundled(): Promise<Bundle['texts']> {
  if (bundle !== undefined && isOld(await bundle)) bundle = undefined
  bundle ??= bundlePage('page.ts')
  return (await bundle).texts
}

function isOld({ sources, madeAt }: Bundle): boolean {
  return sources.some(
    (path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? madeAt) > madeAt,
  )
}

async function bundlePage(entry: string): Promise<Bundle> {
  const madeAt = Date.now()
  // Most processes with a playground show nobody its page.
  const { build } = await import('rolldown')
  const { output } = await build({
    input: join(page, entry),
    platform: 'browser',
    tsconfig: false,
    write: false,
    output: { sourcemap: true, codeSplitting: false, entryFileNames: 'page.js' },
  })
  const texts = output.map((one) => [
    `/${one.fileName}`,
    one.type === 'chunk' ? one.code : String(one.source),
  ])
  const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  return {
    texts: Object.fromEntries(texts),
    sources: modules.filter((path) => !path.includes('node_modules')),
    madeAt,
  }
}

/** The gallery as one file, with script, styles, fonts and icon in it. @param data - What its script reads. */
export async function galleryHtml(data: unknown): Promise<string> {
  const { texts } = await bundlePage('gallery.ts')
  const [styles, script] = [readStyles(join(page, 'gallery.css')), texts['/page.js'] ?? ''].map(
    withFiles,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What Bellhop says</title>
<style>${styles}</style>
<script type="application/json" id="gallery">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
</head>
<body>
<div id="page"></div>
<script type="module">${script?.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`
}

/** With the files themselves in place of their addresses. */
function withFiles(source: string): string {
  return Object.entries(files).reduce((text, [address, path]) => {
    const type = types[extname(address)]
    return text.replaceAll(
      `"${address}"`,
      () => `"data:${type};base64,${readFileSync(path, 'base64')}"`,
    )
  }, source)
}

/** The page itself: all else comes from its script and its live events. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bellhop playground</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body><div id="page"></div></body>
</html>
`

/** Nothing but our own files may be loaded, and no inline script runs. */
export const contentSecurityPolicy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'"],
  ...["img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ')
