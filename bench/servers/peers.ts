// Bots that somebody might have instead of Bellhop. They are installed beside the bench, by the bench alone.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { botToken, people, signingSecret } from '../stand-ins/names.ts'
import { Unfit } from '../unfit.ts'
import type { Recipe } from './server.ts'

/** What each is called in a table, by its file. */
export const peers = {
  'bolt-ack': 'Bolt, ack only',
  'bolt-guide': 'Bolt, by its guides',
  'chat-sdk': 'Chat SDK',
  'slack-edge': 'slack-edge',
  floor: 'node:http + undici',
} as const
export type PeerName = keyof typeof peers

const folder = fileURLToPath(new URL('../peers', import.meta.url))

function changedAt(file: string): number {
  return statSync(`${folder}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** @param say - Told in a line when something has to be installed. @throws Unfit when that fails. */
export function installPeers(say: (line: string) => void): void {
  // npm writes it last.
  if (changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json')) return
  say('Installing the peers into bench/peers …')
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Unfit(`The peers could not be installed: ${stderr}`)
}

export function peerRecipe(
  name: PeerName,
  addresses: { readonly slackApiUrl: string; readonly monitorApiUrl: string },
): Recipe {
  return {
    name: peers[name],
    args: [`${name}.js`],
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: addresses.slackApiUrl,
      MONITOR_API_URL: addresses.monitorApiUrl,
      MONITOR_TOKENS: JSON.stringify(Object.fromEntries(people.map(({ userId, token }) => [userId, token]))),
    },
  }
}
