// Signed slash commands as Slack sends them, from anybody and anywhere.
import { Pool } from 'undici'
import { Unfit } from '../../../bench/unfit.ts'
import type { BotProcess } from '../../../playground/bot-process.ts'
import type { Channel } from '../../../playground/slack/model/model.ts'
import { commandPayload } from '../../../playground/slack/payloads/payloads.ts'
import type { Person } from '../../../playground/slack/person/person.ts'
import type { Slack } from '../../../playground/slack/simulator.ts'
import { signedHeaders } from '../../signed-request.ts'

/** @param connections - Kept open to the bot. */
export function createSendCommand(slack: Slack, bot: BotProcess, connections: number) {
  const { workspace } = slack
  const pool = new Pool(bot.url, { connections })

  return {
    /** Sends `/alert <text>`; resolves once it is acked, to the path of its response_url. @throws Unfit */
    async send(text: string, asker: Person, channel: Channel): Promise<string> {
      const from = { kind: 'command', channelId: channel.id, userId: asker.id, messageTs: undefined } as const
      const { path } = workspace.responseUrls.issue(from)
      const triggerId = workspace.triggers.issue(asker.id, { channelId: channel.id })
      const responseUrl = new URL(path, slack.apiUrl).href
      const asked = { name: '/alert', text, responseUrl, triggerId }
      const form = new URLSearchParams()
      const payload = commandPayload(asked, asker.member, channel, workspace)
      for (const [name, value] of Object.entries(payload)) form.set(name, String(value))
      const body = form.toString()
      const signed = signedHeaders(body, slack.signingSecret, String(Math.floor(Date.now() / 1000)))
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...signed }
      const answer = await pool.request({ path: '/slack/events', method: 'POST', headers, body })
      const said = await answer.body.text()
      if (answer.statusCode !== 200 || said !== '') {
        throw new Unfit(`"/alert ${text}" was acked with ${answer.statusCode} and "${said.slice(0, 100)}".`)
      }
      return path
    },
    stop: (): Promise<void> => pool.close(),
  }
}
