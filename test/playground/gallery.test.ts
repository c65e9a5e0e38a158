// The gallery is whole, true and up to date.
import { globSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { entries } from '../../playground/pictures/gallery/gallery.ts'
import { galleryMarkdown, isPictured, pictureOf } from '../../playground/pictures/gallery/markdown.ts'
import { onStage } from '../../playground/pictures/gallery/on-stage.ts'
import { type Exhibit, showAll } from '../../playground/pictures/gallery/show.ts'
import type { ShownModal } from '../../playground/pictures/gallery/stage/entry.ts'
import { openStage } from '../../playground/pictures/gallery/stage/stage.ts'
import { allWords } from '../../playground/pictures/gallery/words.ts'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { viewErrors } from '../../playground/slack/check/view.ts'
import { list, record, records, text } from '../../playground/slack/model/json.ts'
import { sentencesIn } from './sentences.ts'

const names = entries.map(({ name }) => name)
let exhibits: readonly Exhibit[] = []

beforeAll(async () => {
  exhibits = await showAll()
}, 120_000)

/** What they say goes to the operator's log or terminal, to pages and requests that are not Slack's, or into keys. */
const notForPeople = [
  'src/account/vault.ts',
  'src/account/token-page.ts',
  'src/audit/audit.ts',
  'src/audit/chain.ts',
  'src/audit/recorder.ts',
  'src/audit/render-verdict.ts',
  'src/doctor/ready-words.ts',
  'src/slack/inbound/intake.ts',
  'src/slack/workspace/installation.ts',
  'src/slack/inbound/inbound.ts',
  'src/slack/workspace/refused-tokens.ts',
  'src/slack/inbound/signatures.ts',
  'src/slack/inbound/socket.ts',
  'src/watch/poller.ts',
  'src/watch/find.ts',
  'src/watch/look.ts',
]

/** Printed in the terminal. */
const printed = ['renderReport']

const sourcesOf = (glob: string) => globSync(glob).map((path) => readFileSync(path, 'utf8'))

/** What nobody sees of a message or view. */
const unseen = /"(block_id|action_id|callback_id|private_metadata|value)":"[^"]*"/g

function valueAt({ view, typed }: ShownModal, input: string): string | undefined {
  const block = records(view.blocks).find(({ block_id }) => block_id === input)
  const element = record(block?.element)
  const [chosen] = [element.initial_option, ...list(element.initial_options)].filter(
    (one) => one !== undefined,
  )
  return typed[input] ?? text(element.initial_value) ?? text(record(chosen).value)
}

describe('the gallery', () => {
  it('names every entry once, its picture too', () => {
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(entries.map(pictureOf)).size).toBe(names.length)
  })

  it('shows nothing twice', () => {
    const looks = exhibits.map(({ entry, shown }) =>
      JSON.stringify([entry.isOnPhone, shown]).replaceAll(unseen, ''),
    )
    expect(names.filter((_, at) => looks.indexOf(looks[at] ?? '') < at)).toEqual([])
  })

  it('shows every error at an input with what somebody put there', () => {
    const empty = exhibits.flatMap(({ entry, shown }) => {
      if (shown.kind !== 'modal') return []
      const inputs = Object.keys(shown.errors).filter((input) => valueAt(shown, input) === undefined)
      return inputs.map((input) => `${entry.name}: ${input}`)
    })
    expect(empty).toEqual([])
  })

  it('shows nothing that Slack would refuse', () => {
    const refused = exhibits.flatMap(({ entry, shown }) => {
      const errors = shown.kind === 'message' ? blockErrors(shown.blocks) : viewErrors(shown.view, shown.kind)
      return errors.map((error) => `${entry.name}: ${error}`)
    })
    expect(refused).toEqual([])
  })

  it('names the channels in its pictures', async () => {
    const stage = await openStage()
    onTestFinished(() => stage.stop())
    const known = [stage.onCall.id, stage.access.id]
    const named = exhibits
      .filter(({ entry }) => typeof entry.shows !== 'function')
      .flatMap(({ entry, shown }) => {
        const json = JSON.stringify(onStage({ ...shown }, stage))
        const ids = [...json.matchAll(/(?:<#|"initial_conversation":")(\w+)/g)].map(([, id = '']) => id)
        return ids.map((id) => ({ name: entry.name, id }))
      })
    expect(named.length).toBeGreaterThan(9)
    expect(named.filter(({ id }) => !known.includes(id))).toEqual([])
  })

  it('uses everything that renders', () => {
    const product = sourcesOf('src/{alert,watch,grant,approval,account,home,install,mention,doctor}/**/*.ts')
    const exported = product.flatMap((text) =>
      [...text.matchAll(/^export function (render\w*|\w+Modal|\w+Blocks?)\b/gm)].map(
        ([, name]) => name ?? '',
      ),
    )
    const gallery = sourcesOf('playground/pictures/gallery/**/*.ts').join('\n')
    // Blocks and texts that are part of others are shown with them.
    const renders = product.filter((text) => /^export function (render|\w+Modal)/m.test(text)).join('\n')
    const isUsed = (name: string) => {
      const calls = new RegExp(`(?<!function )\\b${name}(\\(| as )`)
      return calls.test(gallery) || (/(Blocks?|Report)$/.test(name) && calls.test(renders))
    }
    expect(exported.length).toBeGreaterThan(20)
    expect(exported.filter((name) => !printed.includes(name) && !isUsed(name))).toEqual([])
  })

  it('says every sentence that the bot can say', () => {
    const said = exhibits.map(({ shown }) => allWords(shown)).join('\n')
    const sentences = globSync('src/{alert,watch,grant,approval,account,home,install,mention,slack}/**/*.ts')
      .filter((path) => !notForPeople.includes(path))
      .flatMap((path) => sentencesIn(readFileSync(path, 'utf8')))
    expect(sentences.length).toBeGreaterThan(150)
    expect(sentences.filter((sentence) => !said.includes(sentence))).toEqual([])
  })

  it('says every sentence of doctor, and of the audit channel', () => {
    const said = exhibits.map(({ shown }) => allWords(shown)).join('\n')
    const sentences = globSync('src/{doctor,audit}/**/*.ts')
      .filter((path) => !notForPeople.includes(path))
      .flatMap((path) => sentencesIn(readFileSync(path, 'utf8')))
    expect(sentences.length).toBeGreaterThan(80)
    expect(sentences.filter((sentence) => !said.includes(sentence))).toEqual([])
  })

  it('is what docs/gallery.md shows: every entry in words or as a picture, and no picture left over', () => {
    const markdown = readFileSync('docs/gallery.md', 'utf8')
    expect(markdown).toBe(galleryMarkdown(exhibits))
    const pictured = exhibits.filter(isPictured).map(({ entry }) => pictureOf(entry))
    expect(pictured.length).toBeGreaterThan(50)
    expect([...markdown.matchAll(/ src="([^"]+)"/g)].map(([, src]) => src)).toEqual(pictured)
    expect([...markdown.matchAll(/^\| (?!When \| What |---)/gm)].length).toBe(
      exhibits.length - pictured.length,
    )
    const pictures = globSync('docs/gallery/*').map((path) => path.replace('docs/', ''))
    expect(pictures.sort()).toEqual(pictured.sort())
  })

  it('has a link to each of its sections, and no heading twice', () => {
    const markdown = readFileSync('docs/gallery.md', 'utf8')
    const anchors = [...markdown.matchAll(/^(##+) (.*)$/gm)].map(([, level, title = '']) => ({
      isSection: level !== '####',
      anchor: title
        .toLowerCase()
        .replaceAll(' ', '-')
        .replaceAll(/[^\p{L}\p{N}_-]/gu, ''),
    }))
    expect(new Set(anchors.map(({ anchor }) => anchor)).size).toBe(anchors.length)
    const sections = anchors.filter(({ isSection }) => isSection).map(({ anchor }) => anchor)
    expect([...markdown.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor)).toEqual(sections)
  })
})
