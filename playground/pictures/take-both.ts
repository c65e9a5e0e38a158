// One picture in light and in dark, as the documents show them.
import type { Page } from 'playwright-core'

/** Part of the page, in CSS pixels. */
export interface Clip {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** @param path - Without its end. @param clip - Default: all that is seen. */
export async function takeBoth(page: Page, path: string, clip?: Clip): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const shot = { path: `${path}-${colorScheme}.png`, animations: 'disabled' } as const
    await page.screenshot(clip === undefined ? shot : { ...shot, clip })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
