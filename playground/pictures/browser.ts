// A headless Chromium out of npm packages alone, so that a bare machine needs nothing besides.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { z } from 'zod'

const cache = fileURLToPath(new URL('../../node_modules/.cache/bellhop-chromium/', import.meta.url))
const unpackScript = fileURLToPath(new URL('./unpack-chromium.ts', import.meta.url))

/** Fonts come with the page and with the package; those of the machine would make pictures differ. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await browserOptions())
}

/** For Playwright. The packed Chromium is one for Linux on x64; elsewhere the Chrome that is installed has to do. */
export async function browserOptions(): Promise<LaunchOptions> {
  const args = [
    '--font-render-hinting=none',
    '--disable-gpu',
    '--disable-domain-reliability',
    '--no-pings',
  ]
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', args }
  const folder = await unpacked()
  return {
    executablePath: join(folder, 'chromium'),
    args,
    env: {
      // Where the machine has no NSS, NSPR and expat.
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      HOME: folder,
    },
  }
}

/**
 * The folder with everything in it. It gets its name when it is whole, so that neither an unpacking that was
 * killed nor another one at the same time leaves half of it there.
 */
async function unpacked(): Promise<string> {
  const folder = join(cache, packageVersion())
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'unpacking-'))
  await promisify(execFile)(process.execPath, [unpackScript], {
    env: { ...process.env, TMPDIR: fresh },
  })
  await writeFile(join(fresh, 'fonts.conf'), fontsConf)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

function packageVersion(): string {
  const require = createRequire(import.meta.url)
  const file = join(dirname(require.resolve('@sparticuz/chromium')), '../package.json')
  return z.object({ version: z.string() }).parse(require(file)).version
}
