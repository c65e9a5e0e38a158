// Inputs of a form, where Slack says more than which conversation was chosen.
import { describe, expect, it } from 'vitest'
import { readInputs } from '../../src/slack/guard/requests.ts'

const urlOf = (input: string, channelId: string) => ({
  ...{ block_id: input, action_id: 'conversation', channel_id: channelId },
  response_url: `https://hooks.slack.com/app/${input}/${channelId}`,
})
const chosenAt = (input: string, id: string) => ({
  [input]: { conversation: { type: 'conversations_select', selected_conversation: id } },
})

describe('a chosen conversation', () => {
  const urls = [urlOf('copy-to', 'C1'), urlOf('post-to', 'C1')]

  it('has the response URL of its own input, not of another one', () => {
    const filled = readInputs(chosenAt('post-to', 'C1'), urls)
    const responseUrl = 'https://hooks.slack.com/app/post-to/C1'
    expect(filled.conversation('post-to')).toEqual({ channelId: 'C1', responseUrl, isDirect: false })
  })

  it('has none where Slack gave one for another input alone', () => {
    const filled = readInputs(chosenAt('post-to', 'C1'), urls.slice(0, 1))
    expect(filled.conversation('post-to')?.responseUrl).toBeUndefined()
  })

  it.each([
    ['the direct message’s own id', 'D1', 'D1'],
    ['the person’s once more, to which nothing may be sent', 'U2', undefined],
  ])('with a person is at %s', (_what, said, channelId) => {
    const filled = readInputs(chosenAt('post-to', 'U2'), [urlOf('post-to', said)])
    expect(filled.conversation('post-to')).toMatchObject({ channelId, isDirect: true })
  })
})
