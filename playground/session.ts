// The main job in the terminal (`npm run playground -- --terminal`): the real bot, the same stand-in Slack and service
// as the page; prints what people in Slack see.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBotProcess } from './bot-process.ts'
import { botSettings, unfurlDomains } from './bot-settings.ts'
import { seed } from './monitor/seed/seed.ts'
import { seedTokens } from './monitor/seed/seed-people.ts'
import { startMonitor } from './monitor/start-monitor.ts'
import { readManifest } from './server/manifest.ts'
import type { Person } from './slack/person/person.ts'
import type { SeenMessage } from './slack/person/seen.ts'
import { startSlack } from './slack/simulator.ts'

const width = 78

function step(words: string): void {
  console.log(`\n${'─'.repeat(width)}\n${words}\n`)
}

function show(
  who: Person,
  what: { readonly plain: string; readonly isEphemeral?: boolean },
  indent = '  ',
): void {
  const note = what.isEphemeral ? ` (only visible to ${who.name})` : ''
  const lines = [`Bellhop${note}`, ...what.plain.split('\n')]
  console.log(lines.map((line) => `${indent}${line}`).join('\n'))
}

async function showThread(who: Person, card: SeenMessage): Promise<void> {
  show(who, await who.sees('History', card), '      │ ')
}

const folder = mkdtempSync(join(tmpdir(), 'bellhop-playground-'))
const { botScopes, botEvents } = readManifest()
const slack = await startSlack({ botScopes, botEvents, unfurlDomains })
const service = await startMonitor()
const { keys, happens } = seed(service)
const bot = await startBotProcess(botSettings({ slack, service, folder, isSocket: false }))

try {
  slack.deliverTo(`${bot.url}/slack/events`)
  const alice = slack.addPerson({ name: 'alice', realName: 'Alice Archer', email: 'alice@example.com' })
  const bob = slack.addPerson({ name: 'bob', realName: 'Bob Baker', email: 'bob@example.com' })
  const general = slack.addChannel({ name: 'on-call', botIsMember: true })
  const [ks = ''] = keys

  step(`alice types in #on-call:  /alert ${ks}`)
  await alice.types(`/alert ${ks}`, general)
  const prompt = await alice.sees('Connect', general)
  show(alice, prompt)

  step('alice presses [Connect account] and pastes her token')
  await alice.presses('Connect account', prompt)
  show(alice, await alice.seesModal('Connect account'))
  await alice.submits({ fields: { 'API token': seedTokens.alice } })

  step('…and what she asked for goes on by itself, for everybody in #on-call')
  const card = await alice.sees('asked by alice', general)
  show(alice, card)
  await showThread(alice, card)
  await slack.idle()
  await alice.closes()

  step(`Meanwhile, ${ks} ${happens(ks)?.happened}. alice chooses [Refresh]`)
  await alice.presses('Refresh', card)
  await slack.idle()
  show(alice, card)
  for (const reply of card.thread.slice(1)) show(alice, reply, '      │ ')

  step('alice types:  /grant 12 dave@example.com viewer')
  await alice.types('/grant 12 dave@example.com viewer', general)
  show(alice, await alice.sees(/Granted|Not/, general))

  step('bob, who may only read, connects and types:  /grant 12 grace@example.com viewer')
  await bob.types('/alert connect', general)
  await bob.seesModal('Connect account')
  await bob.submits({ fields: { 'API token': seedTokens.bob } })
  await slack.idle()
  await bob.closes()
  await bob.types('/grant 12 grace@example.com viewer', general)
  show(bob, await bob.sees('Not granted', general))

  step('That was the real bot: signed requests in, Slack’s Web API and the service out.')
} finally {
  await bot.stop()
  await Promise.all([slack.stop(), service.stop()])
  rmSync(folder, { recursive: true, force: true })
}
