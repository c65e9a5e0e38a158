// The gallery plays through: the real bot shows each kind of message, form and tab, and Slack takes all of them.
import { expect, it, onTestFinished } from 'vitest'
import { openPlayground } from '../../playground/open-playground.ts'
import { playGallery } from '../../playground/pictures/play-gallery.ts'

it('the gallery has each kind of message, form and tab, none of which Slack refuses', async () => {
  const playground = await openPlayground({ port: 0 })
  onTestFinished(() => playground.stop())

  const { rooms } = await playGallery(playground)

  expect(rooms.filter(({ exhibits }) => exhibits.length === 0)).toEqual([])
  expect(rooms.flatMap(({ exhibits }) => exhibits).length).toBeGreaterThan(50)
  const refused = playground.slack.calls.filter(({ answer }) => answer.ok !== true)
  // Where Bellhop is no member, the card goes out by the response URL; not everybody is in Slack; one channel takes nothing.
  const usual = ['channel_not_found', 'users_not_found', 'restricted_action']
  expect(refused.filter(({ answer }) => !usual.includes(String(answer.error)))).toEqual([])
})
