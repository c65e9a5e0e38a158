// `npm run screenshots`: makes the pictures of README.md and docs/using.md.
import { launchBrowser } from './browser.ts'
import { takeReadmePictures } from './readme-pictures.ts'
import { takeSurfacePictures } from './surface-pictures.ts'

const folder = 'docs'
const browser = await launchBrowser()
try {
  await takeReadmePictures(browser, folder)
  await takeSurfacePictures(browser, folder)
} finally {
  await browser.close()
}
