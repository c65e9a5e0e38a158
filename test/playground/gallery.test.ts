// The gallery is whole, true and up to date.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { entries } from '../../src/playground/pictures/gallery/gallery.ts'
import { galleryMarkdown, pictureOf } from '../../src/playground/pictures/gallery/markdown.ts'
import { type Exhibit, showAll } from '../../src/playground/pictures/gallery/show.ts'
import { allWords } from '../../src/playground/pictures/gallery/words.ts'
import { blockErrors } from '../../src/playground/slack/check/blocks.ts'
import { viewErrors } from '../../src/playground/slack/check/view.ts'
import { sentencesIn } from './sentences.ts'

const names = entries.map(({ name }) => name)
let exhibits: readonly Exhibit[] = []

beforeAll(async () => {
  exhibits = await showAll()
}, 120_000)

/** What they say goes to the operator, and to requests that are not Slack's. */
const notForPeople = ['src/slack/installation.ts', 'src/slack/receiver.ts']

const sourcesOf = (glob: string) => globSync(glob).map((path) => readFileSync(path, 'utf8'))

describe('the gallery', () => {
  it('names every entry once, its picture too', () => {
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(names.map(pictureOf)).size).toBe(names.length)
  })

  it('shows nothing that Slack would refuse', () => {
    const refused = exhibits.flatMap(({ entry, shown }) => {
      const errors = shown.kind === 'message' ? blockErrors(shown.blocks) : viewErrors(shown.view, 'modal')
      return errors.map((error) => `${entry.name}: ${error}`)
    })
    expect(refused).toEqual([])
  })

  it('uses everything that renders', () => {
    const product = sourcesOf('src/{alert,grant,account}/*.ts')
    const exported = product.flatMap((text) =>
      [...text.matchAll(/^export function (render\w*|\w+Modal|\w+Blocks?)\b/gm)].map(
        ([, name]) => name ?? '',
      ),
    )
    const gallery = sourcesOf('src/playground/pictures/gallery/*.ts').join('\n')
    // Blocks that are part of others are shown with them.
    const renders = product.filter((text) => /^export function (render|\w+Modal)/m.test(text)).join('\n')
    const isUsed = (name: string) => {
      const calls = new RegExp(`(?<!function )\\b${name}\\(`)
      return calls.test(gallery) || (/Blocks?$/.test(name) && calls.test(renders))
    }
    expect(exported.length).toBeGreaterThan(20)
    expect(exported.filter((name) => !isUsed(name))).toEqual([])
  })

  it('says every sentence that the bot can say', () => {
    const said = exhibits.map(({ shown }) => allWords(shown)).join('\n')
    const sentences = globSync('src/{alert,grant,account,slack}/*.ts')
      .filter((path) => !notForPeople.includes(path))
      .flatMap((path) => sentencesIn(readFileSync(path, 'utf8')))
    expect(sentences.length).toBeGreaterThan(150)
    expect(sentences.filter((sentence) => !said.includes(sentence))).toEqual([])
  })

  it('is what docs/gallery.md shows, with every picture there', () => {
    expect(readFileSync('docs/gallery.md', 'utf8')).toBe(galleryMarkdown(exhibits))
    expect(names.map(pictureOf).filter((picture) => !existsSync(`docs/${picture}`))).toEqual([])
    const pictures = globSync('docs/gallery/*.png').map((path) => path.replace('docs/', ''))
    expect(pictures.sort()).toEqual(names.map(pictureOf).sort())
  })
})
