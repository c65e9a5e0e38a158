// `npm run screenshots`: makes the pictures of README.md and docs/using.md.
import { launchBrowser } from './browser.ts'
import { takeReadmePictures } from './readme-pictures.ts'

const folder = 'docs'
const browser = await launchBrowser()
try {
  await takeReadmePictures(browser, folder)
} finally {
  await browser.close()
}
