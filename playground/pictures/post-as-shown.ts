// Posts what the gallery shows into the picture's channel: as the bot's message, or below somebody's link.
import type { Locator } from 'playwright-core'
import { records } from '../slack/model/json.ts'
import { onStage } from './gallery/on-stage.ts'
import type { ShownMessage } from './gallery/stage/entry.ts'
import type { Stage } from './gallery/stage/stage.ts'

/** @param article - Where it appears on the page. */
export async function postAsShown(shown: ShownMessage, stage: Stage, article: Locator): Promise<void> {
  const { slack, alice, onCall } = stage
  const { workspace } = slack
  const blocks = records(onStage({ blocks: shown.blocks }, stage).blocks)
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
  // The real bot has a preview of its own for this link; it makes way.
  await slack.idle(500)
  const preview = article.getByText('Added by')
  workspace.unfurl(posted, [])
  await preview.waitFor({ state: 'detached' })
  workspace.unfurl(posted, [{ id: 1, url, attachment: { fallback: shown.text, blocks } }])
  await preview.waitFor()
}
