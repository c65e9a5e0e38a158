// Sending to a Slack that cannot read the blocks.
import { expect, it } from 'vitest'
import { ResponseUrlError } from '../../src/slack/client/refusals.ts'
import { createReadably } from '../../src/slack/outbound/readably.ts'
import { keepLog } from '../keep-log.ts'

it('a message that Slack cannot read is sent once more, as its sentence alone, and the log says so', async () => {
  const { log, lines } = keepLog()
  const readably = createReadably({ log, patiently: (send) => send() })
  const sent: unknown[] = []

  const sending = readably({ text: 'Disk', blocks: [{ type: 'divider' }] }, async (message) => {
    sent.push(message)
    throw new ResponseUrlError('invalid_blocks')
  })

  await expect(sending).rejects.toThrow('invalid_blocks')
  expect(sent).toEqual([
    { text: 'Disk', blocks: [{ type: 'divider' }] },
    { text: 'Disk', blocks: [] },
  ])
  expect(lines.join()).toContain('Slack rejects blocks of ours; sending only their sentence')
})
