// The operations whose cost must not grow with what they don't show, each done as people do it: typed, pressed, opened.
import { setTimeout as wait } from 'node:timers/promises'
import type { MonitorService } from '../../playground/monitor/start-monitor.ts'
import type { Channel } from '../../playground/slack/model/model.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import type { Slack } from '../../playground/slack/simulator.ts'
import { busyContainer } from './fill.ts'

/** Where they are done: a bot with its Slack and its service, and somebody with an account who may do everything. */
export interface Ground {
  readonly slack: Slack
  readonly service: MonitorService
  readonly alice: Person
  readonly channel: Channel
  /** Where the bot listens. */
  readonly url: () => string
  /** Moves the clock of all. */
  readonly advance: (ms: number) => void
}

export interface Operation {
  /** Before it is done, and not part of it. */
  readonly begin?: () => Promise<unknown>
  /** Does it for the nth time, from 1. Resolves once it is seen to be done. */
  readonly run: (n: number) => Promise<unknown>
  readonly end?: () => Promise<unknown>
  /** The bot does it by itself, within half a second. */
  readonly isByItself?: true
}

/** What follows an answer is over then: its record, and where it stands. */
export const rest = ({ slack }: Ground): Promise<void> => slack.idle(60)

/** In the order in which they are done: what is taken back was granted before. */
export const namesAmongOthers = [
  'a mention in a thread',
  'a look-up, and a refresh once it is closed',
  'Home',
  '`/alert watches`',
  'a grant for a time',
  '`/grant due`',
  'a take-back among others',
  '`/metrics`',
  'a look at a watched card',
] as const

export const namesOfLists = ['`/alert open 12`', '`/grant who 12`'] as const

/** All that was looked at before this is due again: a follow every minute, a card twice as often. */
export const lookEveryMs = 66_000

/** With more and more kept that is other people's. */
export function operationsAmong(
  ground: Ground,
): Readonly<Record<(typeof namesAmongOthers)[number], Operation>> {
  const { slack, service, alice, channel, url, advance } = ground
  const receipts = new Map<number, SeenMessage>()
  const address = (n: number) => `new-${n}@example.com`
  const [spokenPath, watchedPath] = ['/alert/spoken-about', '/alert/watched']

  async function lookUp(ks: string): Promise<SeenMessage> {
    addOpen(service, busyContainer, ks)
    await alice.types(`/alert ${ks}`, channel)
    const card = await alice.sees(`${ks} · asked by`, channel)
    await alice.sees('No actions', card)
    return card
  }

  /** Shown to her alone: neither does the thread grow, nor is a card redrawn. */
  async function mention(): Promise<void> {
    const before = asked(service, spokenPath)
    const card = await alice.sees('spoken-about · asked by', channel)
    await alice.writes('@Bellhop private', card)
    await until(() => asked(service, spokenPath) > before)
  }

  /** By itself: whoever closes an alert hears for some time whether it opens again. */
  async function lookUpAndRefresh(n: number): Promise<void> {
    const ks = `closing-${n}`
    const card = await lookUp(ks)
    service.alert(ks)?.close('AutoClose')
    await alice.presses('Refresh', card)
    await alice.sees(/closed/i, card)
  }

  async function openHome(): Promise<void> {
    const before = alice.home?.view.hash
    await alice.opensHome()
    await until(() => alice.home?.view.hash !== before)
  }

  async function grant(n: number): Promise<void> {
    const email = address(n)
    service.addUser({ email })
    await alice.types(`/grant ${busyContainer} ${email} viewer for 4h`, channel)
    receipts.set(n, await alice.sees(new RegExp(`Granted.*${email}`, 's'), channel))
  }

  async function takeBack(n: number): Promise<void> {
    const isThere = () => service.membersOf(busyContainer).some(({ email }) => email === address(n))
    await alice.presses('Remove now', receipts.get(n))
    await until(() => !isThere())
  }

  async function watch(): Promise<void> {
    addOpen(service, busyContainer, 'watched')
    await alice.types('/alert watched watch', channel)
    // Bellhop may have made all the edits of this minute.
    await alice.sees('👁', channel, { limitMs: 90_000 })
    await slack.idle()
  }

  async function stopWatching(): Promise<void> {
    await alice.presses('Stop watching', await alice.sees('👁', channel))
    await slack.idle()
  }

  async function lookAtCard(): Promise<void> {
    await rest(ground)
    const before = asked(service, watchedPath)
    advance(lookEveryMs)
    await until(() => asked(service, watchedPath) > before)
  }

  async function scrape(): Promise<void> {
    const text = await (await fetch(`${url()}/metrics`)).text()
    if (!/^bellhop_ends_overdue \d/m.test(text))
      throw new TypeError('the figures are not all there')
  }

  return {
    'a mention in a thread': { begin: () => lookUp('spoken-about'), run: mention },
    'a look-up, and a refresh once it is closed': { run: lookUpAndRefresh },
    Home: { run: openHome },
    '`/alert watches`': { run: () => lists(ground, '/alert watches') },
    'a grant for a time': { run: grant },
    '`/grant due`': { run: () => lists(ground, '/grant due') },
    'a take-back among others': { run: takeBack },
    '`/metrics`': { run: scrape },
    'a look at a watched card': {
      begin: watch,
      run: lookAtCard,
      end: stopWatching,
      isByItself: true,
    },
  }
}

/** With more and more rows in the service's list. */
export function operationsOfList(
  ground: Ground,
  rows: number,
): Readonly<Record<(typeof namesOfLists)[number], Operation>> {
  const { service } = ground
  const containerId = 1_000 + rows

  async function fill(): Promise<void> {
    service.addContainer(containerId, { name: `Customer of ${rows}` })
    for (let n = 0; n < rows; n += 1) {
      addOpen(service, containerId, `${containerId}-${n}`, n)
      addPerson(service, containerId, n)
    }
  }

  return {
    '`/alert open 12`': { begin: fill, run: () => lists(ground, `/alert open ${containerId}`) },
    '`/grant who 12`': { run: () => lists(ground, `/grant who ${containerId}`) },
  }
}

/** A look of a channel's follow, with more and more open alerts, of which none is new or has changed. */
export function lookAtFollowed(
  ground: Ground,
  open: number,
  containerId = 10_000 + open,
): Operation {
  const { service, alice, channel, slack, advance } = ground
  const path = `/container/${containerId}/alerts`
  const name = `Customer ${containerId}`

  async function follow(): Promise<void> {
    service.addContainer(containerId, { name })
    for (let n = 0; n < open; n += 1) addOpen(service, containerId, `${containerId}-${n}`, n)
    await alice.types(`/alert follow ${containerId}`, channel)
    await alice.presses('Follow', await alice.sees('in this channel?', channel))
    await alice.sees(`open in ${name}`, channel)
    await slack.idle()
  }

  async function look(): Promise<void> {
    await rest(ground)
    const before = asked(service, path)
    advance(lookEveryMs)
    await until(() => asked(service, path) > before)
  }

  async function stopFollowing(): Promise<void> {
    await alice.presses('Stop following', await alice.sees(`Following ${name}`, channel))
    await slack.idle()
  }

  return { begin: follow, run: look, end: stopFollowing, isByItself: true }
}

/** Types a line, and waits for its answer. */
async function lists({ alice, channel }: Ground, line: string): Promise<void> {
  const before = alice.messages(channel).length
  await alice.types(line, channel)
  await until(() => alice.messages(channel).length > before)
}

function addOpen(service: MonitorService, containerId: number, ks: string, n = 2): void {
  const message = `Disk of host-${n} is filling up: 97 % used on /var/lib/data`
  service.addAlert({ ks, containerId, message, severity: n % 8 })
}

function addPerson(service: MonitorService, containerId: number, n: number): void {
  const email = `person-${n}-of-${containerId}@example.com`
  service.addMember(containerId, { email, permissions: ['READ', 'API'] })
}

function asked({ requests }: MonitorService, path: string): number {
  return requests.filter((one) => one.path === path).length
}

const limitMs = 30_000

/** @throws Error where it doesn't come true in half a minute. */
async function until(isSo: () => boolean): Promise<void> {
  const last = performance.now() + limitMs
  while (!isSo()) {
    if (performance.now() > last) throw new Error(`not so after ${limitMs / 1000} s: ${isSo}`)
    await wait(1)
  }
}
