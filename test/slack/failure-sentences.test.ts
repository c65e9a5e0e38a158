// Sentences for people when Slack refuses something that they can do something about.
import { describe, expect, it } from 'vitest'
import { openStorage, type Storage } from '../../src/storage/storage.ts'
import { diskFull, openWorld } from '../world.ts'

describe('a form that Slack does not open', () => {
  it.each([
    ['expired_trigger_id', 'within the three seconds that Slack allows'],
    ['missing_scope', 'Ask an admin to type /alert doctor, which names it.'],
    ['view_too_large', 'Slack didn’t accept Bellhop’s reply. Try again in a minute. (Reference '],
  ])('is told with its reason: %s', async (error, words) => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, general, slack } = world
    slack.trouble.fail('views.open', { error })

    await alice.types('/alert', general)

    expect((await alice.sees(words, general)).isEphemeral).toBe(true)
  })
})

describe('a channel that Slack lets nobody post in', () => {
  it('is told to whoever wanted to share there', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, general, service, slack } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX private', general)
    const card = await alice.sees('Disk full', general)
    const word = 'restricted_action_read_only_channel'
    slack.trouble.fail('chat.postMessage', { error: word })
    slack.trouble.fail('response_url', { error: word })

    await alice.presses('Share in channel', card)

    const told = await alice.sees('limits who can post. Ask in another channel', general)
    expect(told.isEphemeral).toBe(true)
  })
})

describe('what fails before a form is answered', () => {
  it('is told in the form, which stays with all that was typed', async () => {
    let isBroken = true
    const world = await openWorld({
      async open(options) {
        const storage = await openStorage(options)
        const insert: Storage['requests']['insert'] = (...kept) =>
          isBroken
            ? Promise.reject(new Error('the disk is on fire'))
            : storage.requests.insert(...kept)
        return { ...storage, requests: { ...storage.requests, insert } }
      },
    })
    const { alice, general, log } = world
    await alice.types('/grant', general)
    await alice.seesModal('Grant access')
    await alice.submits({ fields: { Container: '12', Email: 'dave@example.com', Role: 'Custom' } })

    expect(Object.values(alice.modal?.errors ?? {}).join()).toContain(
      'Something went wrong in Bellhop.',
    )
    expect(log.join()).toContain('the disk is on fire')
    expect(alice.messages(alice.dm)).toEqual([])
    isBroken = false
    await alice.submits()
    await alice.presses('Grant access', await alice.sees('Grant this access?', general))
    await alice.sees('Granted', general)
  })
})
