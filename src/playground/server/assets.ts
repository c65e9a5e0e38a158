// The files of the page: our own with their types stripped, those of packages by an import map. No bundler.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const playground = fileURLToPath(new URL('../', import.meta.url))

/** What the page shares with the stand-in Slack, beside its own files. */
const shared = ['slack/json.ts', 'slack/view-state.ts']

const { resolve } = createRequire(import.meta.url)
const preact = dirname(resolve('preact'))
const htm = dirname(resolve('htm'))
const parser = join(dirname(resolve('slack-message-parser')), '../esm')
const lato = dirname(resolve('@fontsource/lato/index.css'))
const mono = dirname(resolve('@fontsource/source-code-pro/index.css'))
const twemoji = dirname(resolve('twemoji-colr-font/package.json'))

/** Packages that the page imports: specifier → address. */
const imports: Readonly<Record<string, string>> = {
  preact: '/vendor/preact.mjs',
  'preact/hooks': '/vendor/preact-hooks.mjs',
  htm: '/vendor/htm.mjs',
  'htm/preact': '/vendor/htm-preact.mjs',
  'slack-message-parser': '/vendor/slack-message-parser/mod.js',
}

const vendorFiles: Readonly<Record<string, string>> = {
  '/vendor/preact.mjs': join(preact, 'preact.mjs'),
  '/vendor/preact-hooks.mjs': join(preact, '../hooks/dist/hooks.mjs'),
  '/vendor/htm.mjs': join(htm, 'htm.mjs'),
  '/vendor/htm-preact.mjs': join(htm, '../preact/index.mjs'),
  '/vendor/mono.woff2': join(mono, 'files/source-code-pro-latin-400-normal.woff2'),
  '/vendor/twemoji.woff2': join(twemoji, 'twemoji.woff2'),
  ...Object.fromEntries(
    ['mod.js', 'parser.js', 'combinator.js', 'types/Node.js', 'types/Parser.js'].map((file) => [
      `/vendor/slack-message-parser/${file}`,
      join(parser, file),
    ]),
  ),
  ...Object.fromEntries(
    ['400-normal', '400-italic', '700-normal', '700-italic', '900-normal'].map((face) => [
      `/vendor/lato-${face}.woff2`,
      join(lato, `files/lato-latin-${face}.woff2`),
    ]),
  ),
}

const types: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export interface Asset {
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
}

const ownFiles = new Set([
  ...shared.map((file) => `/${file}`),
  ...globSync('page/**/*.{ts,css,svg}', { cwd: playground }).map((file) => `/${file.replaceAll('\\', '/')}`),
])

/** The file at this address, ready to be sent; undefined when the page has none there. */
export function readAsset(pathname: string): Asset | undefined {
  const file = ownFiles.has(pathname) ? join(playground, pathname) : vendorFiles[pathname]
  if (file === undefined) return undefined
  const type = types[extname(file)] ?? 'application/octet-stream'
  if (extname(file) === '.ts') return { type, body: stripTypeScriptTypes(readFileSync(file, 'utf8')) }
  return { type, body: new Uint8Array(readFileSync(file)) }
}

const importMap = JSON.stringify({ imports })

/** The page itself: everything else comes from its modules and its live events. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bellhop playground</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/page.css">
<script type="importmap">${importMap}</script>
<script type="module" src="/page/page.ts"></script>
</head>
<body><div id="page"></div></body>
</html>
`

/** Nothing but our own files may be loaded; the import map is the one inline script. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
  ...["style-src 'self'", "font-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ')
