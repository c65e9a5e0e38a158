// One picture in light and in dark, as README.md shows them.
import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { smallPng } from './small-png.ts'
import { themeColours } from './theme-colours.ts'

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
    const png = await page.screenshot({ animations: 'disabled', ...(clip === undefined ? {} : { clip }) })
    writeFileSync(`${path}-${colorScheme}.png`, smallPng(png, themeColours))
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
