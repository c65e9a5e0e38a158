// docs/gallery.md: what the bot says, for people. The same text for the same gallery, so that a test can compare.

import { rooms } from './gallery.ts'
import type { Exhibit } from './show.ts'
import { plainText } from './words.ts'

/** Of a picture as it is shown, in CSS pixels: messages, modals. */
export const widths = { message: 600, modal: 520 } as const

/** Where the picture of an entry lies, from docs/. */
export function pictureOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return `gallery/${words.join('-')}.png`
}

const intro = [
  '# What Bellhop says',
  'Every message, form and error that Bellhop can show in Slack, and when it appears. The pictures are made by the',
  'code that makes the messages; `npm run screenshots` draws them again.',
]

export function galleryMarkdown(exhibits: readonly Exhibit[]): string {
  const lines = [
    ...intro.slice(0, 1),
    '',
    ...intro.slice(1),
    '',
    ...rooms.map(({ title }) => `- [${title}](#${title.toLowerCase().replaceAll(' ', '-')})`),
  ]
  for (const { title, groups } of rooms) {
    lines.push('', `## ${title}`)
    for (const group of groups) {
      lines.push('', `### ${group.title}`)
      for (const { name } of group.entries) {
        const exhibit = exhibits.find(({ entry }) => entry.name === name)
        if (exhibit) lines.push(...entryLines(exhibit))
      }
    }
  }
  return `${lines.join('\n')}\n`
}

function entryLines({ entry, shown }: Exhibit): string[] {
  const { name, when } = entry
  const image = `<img src="${pictureOf(name)}" width="${widths[shown.kind]}" alt="${attribute(plainText(shown))}">`
  return ['', `#### ${name}`, '', when, '', image]
}

const longestAlt = 140

function attribute(words: string): string {
  const cut = words.length <= longestAlt ? words : `${words.slice(0, words.lastIndexOf(' ', longestAlt))} …`
  return cut
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
