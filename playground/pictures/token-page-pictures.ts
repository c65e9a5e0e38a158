// The picture of the page where tokens are given, on a phone, as the bot serves it.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openPlayground } from '../open-playground.ts'
import { takeBoth } from './take-both.ts'

const phone = { width: 390, height: 660 }

/** @param folder - `docs`. */
export async function takeTokenPagePictures(browser: Browser, folder: string): Promise<void> {
  const playground = await openPlayground({ port: 0, isPublic: true })
  try {
    const carol = playground.slack.person('carol')
    await carol.types('/alert connect', carol.dm)
    const link =
      (await carol.sees('Connect your own monitoring account', carol.dm)).urlOf('Connect account') ?? ''
    const page = await browser.newPage({ viewport: phone, deviceScaleFactor: 2, locale: 'en-US' })
    await page.goto(link)
    await takeBoth(page, join(folder, 'token-page'))
    await page.context().close()
  } finally {
    await playground.stop()
  }
}
