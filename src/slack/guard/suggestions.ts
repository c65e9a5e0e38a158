// Suggestions of a menu while somebody types: the way in of what Slack asks for with nearly every key, up to its answer,
// which is the ack.
//
//   charge · who · listener, and then the ack
//
// It changes nothing, so that it may come again, and it brings no way to answer but the ack. So nobody can be told what
// fails, or that they are a stranger: the menu suggests nothing then, and the log says why.
import type { Middleware, SlackOptionsMiddlewareArgs } from '@slack/bolt'
import type { PlainTextOption } from '@slack/types'
import { endsAs, noteWorkspace, setAbout } from '../../log/request.ts'
import { inTime } from '../../work/under-way.ts'
import { aboutOf, type Topic } from '../request-topics.ts'
import { limits } from '../text/limits.ts'
import { cut, literal } from '../text/mrkdwn.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import { suggestionPayload } from './payloads.ts'
import type { Suggestion, Typing } from './requests.ts'
import type { GuardRoom } from './room.ts'
import { isDirectOrGroup, type Sent, sentBy } from './who.ts'

type Typed = Pick<Typing, 'typed' | 'privateMetadata'>
type Suggest = (typing: Typing) => Promise<readonly Suggestion[]>

/** Slack waits three seconds for the ack, and the way to it takes some. */
const answerMs = 2_000

export function createSuggestionGuard(room: GuardRoom) {
  const { gate, personOf, work, log } = room

  async function ask(topic: Topic, sent: Sent, { typed, privateMetadata }: Typed, suggest: Suggest) {
    // That would be waited for.
    if (!room.isKnown()) return []
    const installation = await room.installation()
    const workspaceId = workspaceIdOf(installation)
    noteWorkspace(workspaceId)
    if (!gate.chargeKey(topic, { workspaceId, userId: sent.sender.userId })) return []
    const asker = await personOf(installation, sent.sender)
    if (asker === undefined) return []
    return suggest({ asker, place: { ...sent.spot, workspaceId }, typed, privateMetadata })
  }

  /** Never rejects. */
  async function askSafely(...asked: Parameters<typeof ask>): Promise<readonly Suggestion[]> {
    try {
      const found = await inTime(ask(...asked), answerMs)
      if (found !== undefined) return found
      log.warn('suggestions took too long, so there were none')
    } catch (error) {
      log.error({ err: error }, 'a request failed')
    }
    endsAs('failed')
    return []
  }

  return (topic: Topic, suggest: Suggest): Middleware<SlackOptionsMiddlewareArgs<'block_suggestion'>> =>
    async ({ ack, body }) => {
      const { value: typed, ...asked } = suggestionPayload.parse(body)
      const { channel, user, view } = asked
      const privateMetadata = view?.private_metadata ?? ''
      const isDirect = channel != null && isDirectOrGroup(channel.id, channel.name)
      const spot = { userId: user.id, channelId: channel?.id, responseUrl: undefined, isDirect }
      await work.run(async () => {
        setAbout(aboutOf[topic])
        await ack({
          options: optionsOf(
            await askSafely(topic, sentBy(asked, spot), { typed, privateMetadata }, suggest),
          ),
        })
      })
    }
}

/** As Slack takes them: plain text of a bounded length, each value once, and no more than it shows. Pure. */
export function optionsOf(suggestions: readonly Suggestion[]): PlainTextOption[] {
  const byValue = new Map<string, PlainTextOption>()
  for (const { label, value } of suggestions) {
    if (label === '' || value === '' || value.length > limits.optionValue || byValue.has(value)) continue
    byValue.set(value, { text: literal(cut(label, limits.optionText)), value })
  }
  return [...byValue.values()].slice(0, limits.selectOptions)
}
