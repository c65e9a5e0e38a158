// Menus that ask the bot while somebody types: what the stand-in Slack sends, and what it takes for an answer.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SlackOptions } from '../../playground/slack/options.ts'
import { type BareBot, startBareBot } from './slack-bot.ts'

let bot: BareBot

async function start(options: SlackOptions = {}): Promise<void> {
  bot = await startBareBot(options)
}

beforeEach(() => start())
afterEach(() => bot.stop())

const text = (words: string) => ({ type: 'plain_text', text: words })
const option = (words: string, value = words) => ({ text: text(words), value })

/** Alice has a form open with such a menu in it. */
async function open(element: object = { min_query_length: 0 }) {
  const { slack } = bot
  const alice = slack.addPerson({ name: 'alice' })
  const general = slack.addChannel({ name: 'general' })
  const { payload } = await alice.types('/x', general)
  const select = { type: 'external_select', action_id: 'look', ...element }
  const block = { type: 'input', block_id: 'box', label: text('Box'), element: select }
  const view = { type: 'modal', title: text('Form'), submit: text('Send'), blocks: [block] }
  return { alice, opened: await bot.call('views.open', { trigger_id: payload.trigger_id, view }) }
}

const problems = () => bot.slack.deliveries.at(-1)?.problems

describe('a menu that asks the bot', () => {
  it('waits for three characters where the form says nothing else', async () => {
    const { alice } = await open({})
    bot.answers(() => ({ body: { options: [option('Twelve')] } }))

    expect(await alice.suggest('Box', 'tw')).toEqual([])
    expect(bot.heard).toHaveLength(1)
    expect(await alice.suggest('Box', 'twe')).toEqual(['Twelve'])
  })

  it.each<[string, unknown, string]>([
    ['nothing at all', undefined, 'invalid_response: no options'],
    [
      'too many',
      { options: Array.from({ length: 101 }, (_, n) => option(`${n}`)) },
      'no more than 100 items',
    ],
    ['a long text', { options: [option('x'.repeat(76), 'x')] }, 'must be less than 76 characters'],
    [
      'a text that is long once it is escaped',
      { options: [option('&'.repeat(16), 'x')] },
      'less than 76',
    ],
    [
      'a value twice',
      { options: [option('a', 'x'), option('b', 'x')] },
      'option values must be unique',
    ],
  ])('shows nothing for an answer with %s', async (_, body, problem) => {
    const { alice } = await open()
    bot.answers(() => ({ body }))

    expect(await alice.suggest('Box', 'tw')).toEqual([])
    expect(problems()?.join()).toContain(problem)
  })
})
