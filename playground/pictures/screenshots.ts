// `npm run screenshots`: makes the pictures of README.md, and docs/gallery.md with its own.
import { mkdirSync } from 'node:fs'
import { launchBrowser } from './browser.ts'
import { takeGallery } from './gallery-pictures.ts'
import { takeReadmePictures } from './readme-pictures.ts'
import { takeSurfacePictures } from './surface-pictures.ts'
import { takeTokenPagePictures } from './token-page-pictures.ts'

const folder = 'docs'
mkdirSync(folder, { recursive: true })
const browser = await launchBrowser()
try {
  await takeReadmePictures(browser, folder)
  await takeTokenPagePictures(browser, folder)
  await takeSurfacePictures(browser, folder)
  await takeGallery(browser, folder)
} finally {
  await browser.close()
}
