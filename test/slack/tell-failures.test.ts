// Failures of what goes on elsewhere: whoever asked hears of them, also of one that comes before the first wait.
import { expect, it } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { createLog } from '../../src/log/log.ts'
import { tellFailures } from '../../src/slack/guard/tell-failures.ts'
import { nowhere } from '../../src/slack/outbound/delivery.ts'
import type { Message } from '../../src/slack/outbound/message.ts'
import { createWork } from '../../src/work/under-way.ts'

it('are told once, in the words of the failure, however early it fails', async () => {
  const said: string[] = []
  const work = createWork()
  const words = { nothing: 'Nothing was sent.' }
  const undone = { act: { nothing: 'act' }, alert: words, grant: words }
  const delivery = { privately: async (_: unknown, { text }: Message) => void said.push(text) }
  const room = { ...{ work, delivery, log: createLog({ level: 'silent' }) }, undone, monitorSentence: String }
  const failsAtOnce = () => {
    throw new UserError('This waited too long. Use /alert again.')
  }

  await work.run(() =>
    tellFailures(room, 'look-up', nowhere({ workspaceId: 'T1', userId: 'U1' }), failsAtOnce),
  )

  expect(said).toEqual(['This waited too long. Use /alert again.'])
  await work.done()
})
