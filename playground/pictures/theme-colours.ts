// The colours of the page's theme, which pictures of it keep as they are.
import { readFileSync } from 'node:fs'

const theme = readFileSync(new URL('../page/theme.css', import.meta.url), 'utf8')

/** Red, green, blue and full opacity, a byte each. Of light and dark. */
export const themeColours: ReadonlySet<number> = new Set(
  [...theme.matchAll(/#([0-9a-f]{6})\b/g)].map(([, hex]) => Number.parseInt(`${hex}ff`, 16)),
)
