// `npm run gallery`: writes the gallery as one page that anyone can open.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ExhibitState, GalleryState, MessageState, Values, ViewState } from '../page/state/state.ts'
import { galleryHtml } from '../server/assets.ts'
import { type Json, record, records, text } from '../slack/model/json.ts'
import { Stamps } from '../slack/model/stamps.ts'
import { controlsOf, heldValue, initialValue } from '../slack/model/view-state.ts'
import { fillIds } from '../slack/workspace/fill-ids.ts'
import type { Entry, ShownMessage, ShownView } from './gallery/entry.ts'
import { rooms } from './gallery/gallery.ts'
import { accessId, asOf, colleagueId, onCallId } from './gallery/sample.ts'

const stamps = new Stamps(() => asOf * 1000)

function messageOf(shown: ShownMessage): MessageState {
  const { belowLink: url } = shown
  const blocks = fillIds(shown.blocks, stamps)
  const said = {
    ...{ channelId: onCallId, ts: stamps.ts(), threadTs: undefined, isBroadcast: false, isEdited: false },
    ...{ attachments: [], files: [], isEphemeral: shown.isPrivate },
  }
  if (url === undefined) {
    const author = { authorId: 'bellhop', author: 'Bellhop', isApp: true, isBellhop: true }
    return { ...said, ...author, text: shown.text, blocks, unfurls: [] }
  }
  const author = { authorId: colleagueId, author: 'Alice Archer', isApp: false, isBellhop: false }
  const attachment = { fallback: shown.text, blocks }
  return { ...said, ...author, text: `<${url}>`, blocks: [], unfurls: [{ id: 1, attachment }] }
}

function viewOf({ view, typed, errors }: ShownView): ViewState {
  const blocks = fillIds(records(view.blocks), stamps)
  const words = (name: string) => text(record(view[name]).text)
  const submit = words('submit')
  return {
    ...{ id: stamps.id('V'), title: words('title') ?? '', submit, blocks, errors },
    close: words('close') ?? (submit === undefined ? 'Close' : 'Cancel'),
    values: valuesIn(blocks, typed),
    suggested: {},
    trouble: undefined,
  }
}

function valuesIn(blocks: readonly Json[], typed: ShownView['typed']): Values {
  return Object.fromEntries(
    controlsOf({ blocks }).map(({ blockId, actionId, type, element }) => {
      const value = typed[blockId]
      const held = value === undefined ? initialValue(element, undefined) : heldValue(type, value)
      return [blockId, { [actionId]: held }]
    }),
  )
}

function exhibitOf({ name, when, shows }: Entry): ExhibitState {
  if (shows.kind === 'message') return { name, when, message: messageOf(shows) }
  return { name, when, [shows.kind]: viewOf(shows) }
}

const path = process.argv[2] ?? 'data/gallery.html'
const gallery: GalleryState = {
  now: asOf * 1000,
  names: { [onCallId]: 'on-call', [accessId]: 'access', [colleagueId]: 'alice' },
  rooms: rooms.map(({ title, entries }) => ({ title, exhibits: entries.map(exhibitOf) })),
}
mkdirSync(dirname(path), { recursive: true })
writeFileSync(path, await galleryHtml(gallery))
console.log(`Wrote ${path}. Open it in a browser.`)
