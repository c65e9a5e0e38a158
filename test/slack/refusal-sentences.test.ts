// Sentences for people when Slack refuses something that they, or somebody they know, can do something about.
import { describe, expect, it } from 'vitest'
import { grantUndone } from '../../src/grant/render/explain.ts'
import { failureSentence, refusalSentence, toldRefusals } from '../../src/slack/guard/tell-failures.ts'
import { openWorld } from '../world.ts'

describe('a form that Slack does not open', () => {
  it.each([
    ['expired_trigger_id', 'within the three seconds that Slack allows'],
    ['exchanged_trigger_id', 'already opened a form'],
    ['invalid_trigger_id', 'Slack no longer accepts that press or command. Try again. (Reference '],
    ['invalid_arguments', 'Slack can’t show Bellhop’s answer here, and trying again won’t help.'],
    ['view_too_large', 'Tell whoever runs Bellhop. (Reference '],
  ])('is told with its reason: %s', async (error, words) => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, general, slack } = world
    slack.trouble.fail('views.open', { error })

    await alice.types('/alert', general)

    const told = await alice.sees(words, general)
    expect(told.isEphemeral).toBe(true)
    expect(told.plain).not.toContain('Slack didn’t accept Bellhop’s reply')
  })
})

describe('a channel that Slack lets nobody post in', () => {
  it('is told to whoever wanted to share there', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, general, service, slack } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert 5HkX private', general)
    const card = await alice.sees('Disk full', general)
    const word = 'restricted_action_read_only_channel'
    slack.trouble.fail('chat.postMessage', { error: word })
    slack.trouble.fail('response_url', { error: word })

    await alice.presses('Share in channel', card)

    const told = await alice.sees('the channel is read-only. Ask in another channel', general)
    expect(told.isEphemeral).toBe(true)
  })
})

describe('a refusal', () => {
  it('during a grant says to wait for its outcome, unless no form was opened', () => {
    const sentence = (refusal: string) => failureSentence(grantUndone, { refusal }, '5f0c2a9e')
    expect(sentence('is_archived')).toContain('Wait for that before you try again.')
    expect(sentence('expired_trigger_id')).not.toContain('Wait for that')
  })

  it('that nobody can do anything about has no sentence of its own', () => {
    for (const word of ['fatal_error', 'hash_conflict', 'constructor', ''])
      expect(refusalSentence(word, '5f0c2a9e')).toBeUndefined()
  })

  it('has a reference for the operator where they are asked for help', () => {
    const asks = toldRefusals.filter((word) =>
      /whoever runs Bellhop\./.test(refusalSentence(word, '5f') ?? ''),
    )
    expect(asks.length).toBeGreaterThan(3)
    expect(asks.filter((word) => !refusalSentence(word, '5f')?.includes('(Reference 5f)'))).toEqual([])
  })
})
