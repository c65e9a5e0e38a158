// One picture in light and in dark, as the documents show them.
import type { Page } from 'playwright-core'

/** @param path - Without its end. */
export async function takeBoth(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${path}-${colorScheme}.png`, animations: 'disabled' })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
