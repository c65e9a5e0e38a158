// Cards as the version before drew them stand in Slack for months: their buttons do what they say, and what is pressed
// on draws them in the look of today.
import type { KnownBlock } from '@slack/types'
import { WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { openWorld, type World } from '../world.ts'
import { cardIdOf } from './card-id.ts'

const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, timestamp: 1_700_000_000 } as const

/** Draws a card as it used to be. @param offers - Of its menu, by their words then. */
async function asBefore(
  { slack, general }: World,
  card: SeenMessage,
  offers: Readonly<Record<string, string>>,
) {
  const id = cardIdOf(card)
  const plain = (words: string) => ({ type: 'plain_text' as const, text: words })
  const marked = (words: string) => ({ type: 'mrkdwn' as const, text: words })
  const blocks: KnownBlock[] = [
    { type: 'header', text: plain('🔴 Open · CRITICAL') },
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Disk full' }] }],
    },
    { type: 'section', fields: [marked('*Opened*\nlong ago'), marked('*Owner*\nnot assigned')] },
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'alert.refresh', text: plain('Refresh'), value: id },
        { type: 'button', action_id: 'watch.start', text: plain('Watch'), value: id },
        {
          type: 'overflow',
          action_id: 'alert.more',
          options: Object.entries(offers).map(([label, word]) => ({
            text: plain(label),
            value: `${word} ${id}`,
          })),
        },
      ],
    },
    { type: 'context', elements: [plain('5HkX'), plain('asked by alice')] },
  ]
  const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl })
  await web.chat.update({
    channel: general.id,
    ts: card.ts,
    text: 'CRITICAL alert is open: Disk full.',
    blocks,
  })
}

const menu = { 'Open in monitoring': 'open', 'Stop watching': 'stop', 'Grant access': 'grant' }

describe('a card of the version before', () => {
  it('is drawn in the look of today when somebody presses Refresh', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await asBefore(world, card, menu)
    expect(card.plain).toContain('Open · CRITICAL')
    alert.hit({ message: 'Disk fuller', severity: 1 })

    await alice.presses('Refresh', card)

    await alice.sees('🟥 ALERT, was CRITICAL', general)
    expect(card.plain.split('\n')[0]).toBe('Disk fuller')
    expect(card.buttons).toEqual([
      ...['Assign to me', 'Close alert', 'Watch'],
      ...['Refresh', 'Assign to somebody', 'Comment', 'Grant access', 'Open in monitoring'],
    ])
  })

  it('becomes live, is stopped from its menu, and grants', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await asBefore(world, card, menu)

    await alice.presses('Watch', card)
    await alice.sees('● Live', general)
    await asBefore(world, card, menu)
    await alice.presses('Stop watching', card)

    await alice.sees('alice pressed Stop watching', card)
    await asBefore(world, card, menu)
    await alice.presses('Grant access', card)
    await alice.seesModal('Grant access')
  })
})

describe('a private card', () => {
  it.each([
    ['open, by its button', false],
    ['closed, by its button', true],
  ])('that is %s, is shared in the channel', async (_, isClosed) => {
    const { alice, bob, general, service } = await openWorld()
    const alert = service.addAlert(diskFull)
    if (isClosed) alert.close('AutoClose')
    await alice.types('/alert 5HkX private', general)
    const card = await alice.sees('Disk full', general)
    expect(card.buttons[isClosed ? 1 : 3]).toBe('Share in channel')

    await alice.presses('Share in channel', card)

    const shared = await bob.sees('asked by alice', general)
    expect(shared.plain).toContain('Disk full')
    expect(shared.isEphemeral).toBe(false)
  })
})
