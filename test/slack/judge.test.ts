import { WebClient } from '@slack/web-api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSlack } from '../../playground/slack/simulator.ts'
import { classify } from '../../src/slack/client/refusals.ts'
import { plain } from '../../src/slack/text/mrkdwn.ts'
import { createJudge } from '../../src/slack/workspace/probe.ts'

async function openJudge() {
  const slack = await startSlack({ botScopes: [] })
  onTestFinished(() => slack.stop())
  const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } })
  return { slack, judge: createJudge(async () => web) }
}

const section = (text: string) => ({ type: 'section', text: plain(text) })

describe('Slack as the judge of blocks', () => {
  it('takes a message, a form and a Home tab, without any scope', async () => {
    const { judge } = await openJudge()
    const blocks = [section('Disk full')]

    expect(await judge.complaintsAbout({ message: { blocks } })).toEqual([])
    expect(await judge.complaintsAbout({ view: { type: 'modal', title: plain('Form'), blocks } })).toEqual([])
    expect(await judge.complaintsAbout({ view: { type: 'home', blocks } })).toEqual([])
  })

  it('says what is wrong, and where', async () => {
    const { judge } = await openJudge()
    const blocks = [section('Disk full'), section('')]

    expect(await judge.complaintsAbout({ message: { blocks } })).toEqual([
      'must be more than 0 characters [/blocks/1/text/text]',
    ])
    expect(await judge.complaintsAbout({ view: { type: 'home', blocks } })).toEqual([
      'must be more than 0 characters [/blocks/1/text/text]',
    ])
  })

  it('is asked about one thing at a time', async () => {
    const { judge } = await openJudge()
    const both = { message: { blocks: [] }, view: { type: 'home', blocks: [] } }

    expect(await judge.complaintsAbout(both)).toEqual([
      'must provide exactly one of `blocks`, `view`, or `message`',
    ])
  })

  it('gives its one word for it when it says no more', async () => {
    const { slack, judge } = await openJudge()
    slack.trouble.fail('blocks.validate', { error: 'invalid_message' })

    expect(await judge.complaintsAbout({ message: { blocks: [] } })).toEqual(['invalid_message'])
  })

  it('does not judge where it does not offer to', async () => {
    const { slack, judge } = await openJudge()
    slack.trouble.fail('blocks.validate', { error: 'unknown_method' })

    const asked = judge.complaintsAbout({ message: { blocks: [] } })

    await expect(asked).rejects.toSatisfy((error) => classify(error).word === 'unknown_method')
  })
})
