// docs/gallery.md: what the bot says, for people. The same text for the same gallery, so that a test can compare.

import { rooms } from './gallery.ts'
import type { Exhibit } from './show.ts'
import type { Entry } from './stage/entry.ts'
import { plainText, sentences, spokenLines, titleOf } from './words.ts'

/** Of a picture as it is shown, in CSS pixels: messages, modals, the Home tab, any of them on a phone. */
export const widths = { message: 600, modal: 520, home: 600, phone: 390 } as const

function widthOf({ entry, shown }: Exhibit): number {
  return widths[entry.isOnPhone === true ? 'phone' : shown.kind]
}

/** Where the picture of an entry lies, from docs/. */
export function pictureOf({ name }: Entry): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return `gallery/${words.join('-')}.png`
}

/** What is more than a sentence or two is shown as a picture. */
export function isPictured(exhibit: Exhibit): boolean {
  return saidIn(exhibit) === undefined
}

function saidIn({ entry, shown }: Exhibit): readonly string[] | undefined {
  return entry.isLine === true ? spokenLines(shown) : sentences(shown)
}

const intro = `# What Bellhop says

Every message, form and error that Bellhop shows in Slack, and doctor’s lines in a terminal. Cards, forms and receipts
are pictures; short sentences are in tables. \`npm run screenshots\` generates this page from Bellhop’s own code.`

export function galleryMarkdown(exhibits: readonly Exhibit[]): string {
  const lines = [intro, '', ...contents()]
  for (const { title, groups } of rooms) {
    lines.push('', `## ${title}`)
    for (const group of groups) {
      lines.push('', `### ${group.title}`)
      let isInTable = false
      for (const exhibit of exhibits.filter(({ entry }) => group.entries.includes(entry))) {
        const said = saidIn(exhibit)
        if (said && !isInTable) lines.push('', '| When | What Bellhop says |', '| --- | --- |')
        lines.push(...(said ? [row(exhibit, said)] : pictureLines(exhibit)))
        isInTable = said !== undefined
      }
    }
  }
  return `${lines.join('\n')}\n`
}

function contents(): string[] {
  const link = (title: string) => `- [${title}](#${slug(title)})`
  return rooms.flatMap(({ title, groups }) => [
    link(title),
    ...groups.map((group) => `  ${link(group.title)}`),
  ])
}

/** As GitHub makes the anchor of a heading that is the only one of its name. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function pictureLines(exhibit: Exhibit): string[] {
  const { name, when, isCutOff } = exhibit.entry
  const alt = attribute(plainText(exhibit.shown))
  const image = `<img src="${pictureOf(exhibit.entry)}" width="${widthOf(exhibit)}" alt="${alt}">`
  const rest = isCutOff === true ? ' The rest of the form is as above.' : ''
  return ['', `#### ${name}`, '', `${when}${rest}`, '', image]
}

function row({ entry, shown }: Exhibit, said: readonly string[]): string {
  const title = shown.kind === 'modal' ? [`*${titleOf(shown)}*`] : []
  return `| ${entry.when} | ${[...title, ...said].map(cell).join('<br>')} |`
}

/** @param mrkdwn - One line, with `*bold*` and code in it. */
function cell(mrkdwn: string): string {
  const pieces = mrkdwn.split(/(`[^`]+`)/)
  return pieces
    .map((piece, at) => (at % 2 === 1 ? piece : escaped(piece).replaceAll(/\*([^*]+)\*/g, '**$1**')))
    .join('')
    .replaceAll('|', '\\|')
}

const longestAlt = 140

function attribute(words: string): string {
  const cut = words.length <= longestAlt ? words : `${words.slice(0, words.lastIndexOf(' ', longestAlt))} …`
  return escaped(cut).replaceAll('"', '&quot;')
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
