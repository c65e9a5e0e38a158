// The gallery shows what Slack would take.
import { expect, it } from 'vitest'
import type { Shown } from '../../playground/pictures/gallery/entry.ts'
import { entries } from '../../playground/pictures/gallery/gallery.ts'
import { colleagueId } from '../../playground/pictures/gallery/sample.ts'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { viewErrors } from '../../playground/slack/check/view.ts'
import { pingsOf } from '../../playground/slack/workspace/pings.ts'

/** Whom a request for approval mentions. */
const asked = `<@${colleagueId}>`

function wrongWith(shown: Shown): readonly string[] {
  if (shown.kind !== 'message') return viewErrors(shown.view, shown.kind)
  const pings = pingsOf(shown.text, shown.blocks, []).filter((ping) => ping !== asked)
  return [...blockErrors(shown.blocks), ...pings]
}

it.each(entries)('“$name” is what Slack takes, and pings nobody who isn’t asked', ({ shows }) => {
  expect(wrongWith(shows)).toEqual([])
})
