// The gallery shows what Slack would take.
import { expect, it } from 'vitest'
import { entries } from '../../playground/pictures/gallery/gallery.ts'
import { showAll } from '../../playground/pictures/gallery/show.ts'
import type { Shown } from '../../playground/pictures/gallery/stage/entry.ts'
import { colleagueId } from '../../playground/pictures/gallery/stage/sample.ts'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { viewErrors } from '../../playground/slack/check/view.ts'
import { pingsOf } from '../../playground/slack/workspace/pings.ts'

function wrongWith(shown: Shown): readonly string[] {
  if (shown.kind !== 'message') return viewErrors(shown.view, shown.kind)
  const pings = pingsOf(shown.text, shown.blocks, []).filter((ping) => ping !== `<@${colleagueId}>`)
  return [...blockErrors(shown.blocks), ...pings]
}

it('shows nothing that Slack would refuse or that pings anybody who isn’t asked, and names each entry once', async () => {
  const wrong = (await showAll()).flatMap(({ entry, shown }) =>
    wrongWith(shown).map((problem) => `${entry.name}: ${problem}`),
  )
  expect(wrong).toEqual([])
  const names = entries.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
}, 120_000)
