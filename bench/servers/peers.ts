// Bots that somebody might have instead of Bellhop, of packages that it has as well.
import { fileURLToPath } from 'node:url'
import { botToken, people, signingSecret } from '../stand-ins/names.ts'
import type { Recipe } from './server.ts'

/** What each is called in a table. */
const peers = {
  'bolt-ack': 'Bolt, ack only',
  'bolt-answer': 'Bolt, the same text',
  'bolt-guide': 'Bolt, by its guides',
} as const
export type PeerName = keyof typeof peers

const folder = fileURLToPath(new URL('../peers', import.meta.url))

/** @param answer - To `/alert help`, JSON; an empty ack without one. */
export function peerRecipe(
  name: PeerName,
  addresses: { readonly slackApiUrl: string; readonly monitorApiUrl: string },
  answer = '',
): Recipe {
  return {
    name: peers[name],
    args: [name === 'bolt-guide' ? 'bolt-guide.js' : 'bolt-ack.js'],
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: addresses.slackApiUrl,
      MONITOR_API_URL: addresses.monitorApiUrl,
      HELP_ANSWER: answer,
      MONITOR_TOKENS: JSON.stringify(
        Object.fromEntries(people.map(({ userId, token }) => [userId, token])),
      ),
    },
  }
}
