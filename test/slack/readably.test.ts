// Sending to a Slack that cannot read it: how often, and with how much of it.
import type { KnownBlock } from '@slack/types'
import { describe, expect, it } from 'vitest'
import { ResponseUrlError } from '../../src/slack/client/refusals.ts'
import { createReadably } from '../../src/slack/outbound/readably.ts'
import { keepLog } from '../keep-log.ts'

const url = 'https://m.example/a'
const text = { type: 'plain_text' as const, text: 'Open' }
const links: KnownBlock = {
  type: 'actions',
  elements: [{ type: 'overflow', action_id: 'more', options: [{ text, value: 'open', url }] }],
}
const words: KnownBlock = { type: 'section', text: { type: 'mrkdwn', text: `<${url}|Disk>` } }

describe('a message that Slack cannot read', () => {
  it.each<readonly [string, KnownBlock[], number[]]>([
    ['links among other things', [words, links], [2, 1, 0]],
    ['nothing but links', [links], [1, 0]],
    ['no link', [{ type: 'divider' }], [1, 0]],
  ])('and that has %s is sent with less each time', async (_what, blocks, sent) => {
    const sizes: number[] = []
    const readably = createReadably({ log: keepLog().log, patiently: (send) => send() })

    const sending = readably.message({ text: 'Disk', blocks }, async (message) => {
      sizes.push(message.blocks.length)
      throw new ResponseUrlError('invalid_blocks')
    })

    await expect(sending).rejects.toThrow('invalid_blocks')
    expect(sizes).toEqual(sent)
  })
})
