// `npm run gallery`: plays the gallery and writes it as one page that anyone can open.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openPlayground } from '../open-playground.ts'
import { galleryHtml } from '../server/assets.ts'
import { playGallery } from './play-gallery.ts'

const path = process.argv[2] ?? 'data/gallery.html'
const playground = await openPlayground({ port: 0 })
try {
  const gallery = await playGallery(playground)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, await galleryHtml(gallery))
  console.log(`Wrote ${path}. Open it in a browser.`)
} finally {
  await playground.stop()
}
