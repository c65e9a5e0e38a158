// Posts what the gallery shows into the picture's channel: as the bot's message, or below somebody's link.
import { records } from '../slack/json.ts'
import type { ShownMessage } from './gallery/entry.ts'
import { onCallId } from './gallery/sample.ts'
import type { Stage } from './gallery/stage.ts'

export function postAsShown(shown: ShownMessage, { slack, alice, onCall }: Stage): void {
  const { workspace } = slack
  const blocks = records(JSON.parse(JSON.stringify(shown.blocks).replaceAll(onCallId, onCall.id)))
  const { belowLink: url } = shown
  if (url === undefined) {
    workspace.post({
      channelId: onCall.id,
      authorId: slack.bot.userId,
      text: shown.text,
      blocks,
      ephemeralFor: shown.isPrivate ? alice.id : undefined,
      via: 'gallery',
    })
    return
  }
  const posted = workspace.post({
    channelId: onCall.id,
    authorId: alice.id,
    text: `<${url}>`,
    via: 'gallery',
  })
  workspace.unfurl(posted, [{ id: 1, url, attachment: { blocks } }])
}
