// Plays the gallery: each kind of message, form and tab as people get it from the real bot, in a playground.

import { clockTime } from '../../src/grant/input/until.ts'
import { seedAssets } from '../monitor/seed/seed-assets.ts'
import { openPlayground, type Playground } from '../open-playground.ts'
import type { ExhibitState, GalleryState } from '../page/state/state.ts'
import { messageState, namesIn, viewState } from '../server/page-state.ts'
import { hourLater, minutesLater } from '../server/troubles/troubles-clock.ts'
import type { Channel } from '../slack/model/model.ts'
import type { Person } from '../slack/person/person.ts'
import { SeenMessage } from '../slack/person/seen.ts'
import type { Slack } from '../slack/simulator.ts'

/** A playground in which nobody has done anything. */
export async function playGallery({
  slack,
  service,
  seed,
  players,
  troubles,
}: Playground): Promise<GalleryState> {
  const { workspace } = slack
  const [alice, bob, carol, dave, grace] = [
    slack.person('alice'),
    slack.person('bob'),
    slack.person('carol'),
    slack.person('dave'),
    slack.person('grace'),
  ]
  const [onCall, leads] = [channelIn(slack, 'on-call'), channelIn(slack, 'leads')]
  const rooms: { readonly title: string; readonly exhibits: ExhibitState[] }[] = []

  const comes = <T>(look: () => T | undefined, otherwise: () => string = () => 'Nothing came.') =>
    workspace.changes.until(look, 20_000, otherwise)

  function room(title: string): void {
    rooms.push({ title, exhibits: [] })
  }

  /** As it looks now: messages and forms change. */
  function keep(exhibit: ExhibitState): void {
    rooms.at(-1)?.exhibits.push(structuredClone(exhibit))
  }

  /** What somebody sees there next, in a channel or a thread, once it is whole. */
  async function answer(who: Person, where: Channel | SeenMessage, act: () => Promise<unknown>) {
    const seen = () => (where instanceof SeenMessage ? where.thread : who.messages(where))
    const before = new Set(seen().map(({ ts }) => ts))
    await act()
    const fresh = () =>
      seen().findLast(
        ({ ts, author, text }) =>
          !before.has(ts) && author === 'bellhop' && !/^(Still asking|Sending)/.test(text),
      )
    const answered = await comes(fresh, () => `Nothing came. ${who.screen(onCall)}`)
    await slack.idle(200)
    return fresh() ?? answered
  }

  function show(name: string, when: string, { message }: SeenMessage): SeenMessage {
    keep({ name, when, message: messageState(message, workspace) })
    return new SeenMessage(message, alice.member, workspace)
  }

  async function types(
    name: string,
    line: string,
    who = alice,
    where = onCall,
  ): Promise<SeenMessage> {
    const shown = line.length > 60 ? `${line.slice(0, 60)}…` : line
    return show(
      name,
      `${who.name} types \`${shown}\`.`,
      await answer(who, where, () => who.types(line, where)),
    )
  }

  /** The answer to a press of what is seen. */
  async function presses(
    name: string,
    label: string,
    on: SeenMessage,
    who = alice,
    where = onCall,
  ) {
    const act = () => who.presses(label, on)
    return show(name, `${who.name} presses _${label}_.`, await answer(who, where, act))
  }

  /** What the message becomes whose button is pressed. */
  async function becomes(name: string, label: string, on: SeenMessage): Promise<void> {
    await alice.presses(label, on)
    await comes(
      () => on.plain.includes(name) || undefined,
      () => on.plain,
    )
    await slack.idle(200)
    show(name, `alice presses _${label}_.`, on)
  }

  /** The form that comes up, which is closed again unless it is to be filled in. */
  async function form(
    name: string,
    when: string,
    who: Person,
    act: () => Promise<unknown>,
    stays = false,
  ) {
    await act()
    await comes(() => who.modal)
    await slack.idle(200)
    if (who.modal) keep({ name, when, modal: viewState(who.modal.view, workspace) })
    if (!stays) await who.closes()
  }

  room('Cards')
  const worse = 'An alert that got worse, with its machine'
  const disk = await types(worse, `/alert ${service.linkOf('disk-full')}`)
  const open = await types('An open alert', '/alert one-hit')
  await types('A closed alert', '/alert backup-missed')
  const live = await types('A live card', '/alert "web server 503" watch')
  await types('A private card', '/alert replica-lag private')
  await types('Markup stays plain text', '/alert a/b?c=<d>&e%2F#f')
  await types('Where Bellhop is no member', '/alert one-hit', alice, leads)
  const { message: posted } = await alice.writes(
    `Anybody on this? ${service.linkOf('disk-full')}`,
    onCall,
  )
  await comes(() => posted.unfurls[0])
  show('A preview', 'alice posts a link to an alert.', posted)

  room('Threads')
  const history = disk.thread.at(-1)
  if (history) show('A history', 'The first reply in a card’s thread.', history)
  const news = async (name: string, event: Parameters<typeof seed.happens>[1]) => {
    const happen = async () => seed.happens('web server 503', event)
    show(name, 'A watched alert moves on.', await answer(alice, live, happen))
  }
  await news('A comment', 'comment')
  await news('It gets better', 'better')
  await news('It gets worse', 'worse')
  await news('It is closed', 'close')
  await types('A long story', '/alert long-story')

  room('A followed container')
  const consent = await types('Before a channel follows', '/alert follow 12 min error call @oncall')
  await alice.presses('Follow', consent)
  const seesThere = async (name: string, when: string, words: string | RegExp) =>
    show(name, when, await alice.sees(words, onCall))
  const own = await seesThere(
    'Who reads, and how often',
    'alice presses _Follow_.',
    /Following Customer 1/,
  )
  await seesThere('What is open already', 'The first look.', 'open in Customer 1 (12) already')
  seed.opens(2)
  await seesThere('A new alert', 'The next look.', /mails are waiting[\s\S]*Assign to me/)
  const hosts = seed.opens(30)
  const storm = await seesThere('Many at once', 'A storm.', 'new alerts in Customer 1 (12)')
  const still = (words: string) =>
    workspace.changes.until(
      () => storm.plain.includes(words) || undefined,
      20_000,
      () => storm.plain,
    )
  await still('· host-7 ·')
  show('With their machines', 'A later look has found them.', storm)
  for (const ks of hosts.slice(0, -3)) service.alert(ks)?.close('AutoClose')
  await still('still open')
  show('Some of them closed', 'A later look.', storm)
  for (const ks of hosts.slice(-3)) service.alert(ks)?.close('AutoClose')
  await still('none still open')
  show('All of them closed', 'The last one is closed.', storm)
  await types('What the night was', '/alert since 4h')
  slack.trouble.fail('chat.postMessage', { error: 'restricted_action' })
  seed.opens(3)
  const told = await alice.sees('I can’t post in', alice.dm)
  show(
    'A channel that takes nothing',
    'Posting is restricted, and somebody was to be called.',
    told,
  )
  const token = service.revoke('demo-alice-token')
  await seesThere(
    'Nobody reads any more',
    'alice’s token is revoked.',
    'I can’t read Customer 1 (12) any more',
  )
  if (token) service.addToken(token)
  await alice.presses('Stop following', own)

  keep(await playBell())

  room('Asking for an alert')
  await types('Help for /alert', '/alert help')
  await form('Look up an alert', 'alice types `/alert` alone.', alice, () =>
    alice.types('/alert', onCall),
  )
  await types('No such alert', '/alert disk-fulll')
  await types('A token where a key belongs', `/alert ${'0123456789abcdef'.repeat(2)}`)
  service.trouble.answer(503, { only: 'GET' })
  await types('Monitoring is down', '/alert one-hit')
  service.trouble.clear()
  await types('Watching where Bellhop is no member', '/alert one-hit watch', alice, leads)
  await types('In other words', '/alert resolve disk-full "Old logs removed."')
  await types('What is open', '/alert open 12')
  await types('Your watches', '/alert watches')

  room('Acting on an alert')
  await form('Close an alert', 'alice presses _Close alert_.', alice, () =>
    alice.presses('Close alert', open),
  )
  await form('Comment', 'alice chooses _Comment_.', alice, () => alice.presses('Comment', open))
  await form('Assign', 'alice chooses _Assign to somebody_.', alice, () =>
    alice.presses('Assign to somebody', open),
  )
  await types('Commented', '/alert comment disk-full "Old logs, rotating them now."')
  await types('Assigned', '/alert assign one-hit me')
  await types('A flag is missing', '/alert close disk-full "Old logs removed."', bob)
  service.trouble.cut({ only: 'PUT', times: 1, when: 'before-answer' })
  await types('Not certain', '/alert comment one-hit "Renewed it."')
  await types('A text that comes back', `/alert comment one-hit "${'Renewed it. '.repeat(25)}"`)

  room('Giving access')
  await types('Help for /grant', '/grant help')
  await types('Roles', '/grant roles')
  await types('Mistakes in a line', '/grant twelve dave REED wizard')
  await types('Typed in other words', '/grant give dave@example.com viewer on 12 until friday')
  await types('Two meanings', '/grant 12 dave@example.com viewer until tomorrow at 6')
  await form(
    'The form',
    'alice types `/grant` and an address, and chooses a role.',
    alice,
    async () => {
      await alice.types('/grant 12 dave@example.com', onCall)
      await alice.seesModal('Grant access')
      await alice.fillsIn({ Role: 'Responder' })
    },
    true,
  )
  await form('The form, with its flags', 'She chooses Custom.', alice, () =>
    alice.fillsIn({ Role: 'Custom' }),
  )
  await types('Asked first', '/grant 12 dave@example.com READ,WEBHOOKS')

  room('Receipts')
  const granted = await types('Granted', '/grant 12 dave@example.com viewer')
  await presses('A shared receipt', 'Share in channel', granted)
  const there = await types('Already there', '/grant 12 dave@example.com operator')
  await presses('Asked before somebody is changed', 'Change to Operator', there)
  const unknown = await types('Unknown to monitoring', '/grant 12 nobody@example.com viewer')
  await types('Permission missing', '/grant 12 grace@example.com viewer', bob)
  service.trouble.cut({ only: 'POST', times: 1, when: 'before-answer' })
  await types('Not certain whether it was granted', '/grant 12 mallory@example.com viewer')
  await types('Several people', '/grant 12 frank@example.com,nobody@example.com viewer')

  room('Who has access')
  await types('Who is there', '/grant who 12')
  await types('Who has a flag', '/grant who 12 WEBHOOKS')
  const nils = await types('Somebody alone', '/grant who 12 nils@example.com')
  await form('Change access', 'alice chooses _Change…_ beside his name.', alice, () =>
    alice.presses('Change…', nils),
  )
  const change = await types('Asked before a change', '/grant change 12 nils@example.com responder')
  await becomes('Changed', 'Change access', change)
  const removal = await types('Asked before a removal', '/grant remove nils from 12')
  await becomes('Removed', 'Remove access', removal)
  await types(
    'Several, and somebody who isn’t there',
    '/grant remove 12 tom@example.com,kim@example.com,eve@example.com',
  )
  await types('Oneself', '/grant remove 12 alice@example.com')
  const invitation = await presses('Asked before an invitation', 'Invite by email', unknown)
  await becomes('Invited', 'Invite by email', invitation)

  room('Approvals')
  const asks = async (name: string, lasts = '') => {
    const line = `/grant 12 grace@example.com viewer${lasts}`
    const refused = await answer(bob, onCall, () => bob.types(line, onCall))
    await form(
      name,
      'bob presses _Ask for approval_.',
      bob,
      () => bob.presses('Ask for approval', refused),
      true,
    )
    const submit = () => bob.submits({ fields: { Reason: 'Grace covers the weekend.' } })
    return answer(alice, onCall, submit)
  }
  const declined = show('A request', 'bob has sent it.', await asks('Asking for approval'))
  await form(
    'Declining it',
    'alice presses _Decline_.',
    alice,
    () => alice.presses('Decline', declined),
    true,
  )
  show(
    'For whoever asked',
    'By direct message.',
    await answer(bob, bob.dm, () =>
      alice.submits({ fields: { Reason: 'Use the weekend account.' } }),
    ),
  )
  show('A request that was declined', 'The same card.', declined)
  const forTime = 'bob has asked for 4 hours; alice may choose less.'
  const approved = show('A request for a time', forTime, await asks('Asking again', ' for 4h'))
  show(
    'For whoever got access',
    'By direct message.',
    await answer(grace, grace.dm, () => alice.presses('Approve', approved)),
  )
  show('A request that was granted', 'alice has approved it.', approved)

  room('Your account')
  await types('No account', '/alert disk-full', carol)
  await form('Connect account', 'carol types `/alert connect`.', carol, () =>
    carol.types('/alert connect', onCall),
  )

  room('Home')
  for (const person of [carol, alice]) {
    await person.opensHome()
    await comes(() => person.home)
    await slack.idle(200)
    const name = person === carol ? 'Home, not connected' : 'Home'
    if (person.home)
      keep({ name, when: `${person.name} opens it.`, home: viewState(person.home.view, workspace) })
  }

  room('Everywhere')
  const mention = async () => alice.writes('@Bellhop help', onCall)
  show('Help for a mention', 'alice writes `@Bellhop help`.', await answer(alice, onCall, mention))
  service.trouble.answer(503)
  await types('Doctor, while monitoring is down', '/alert doctor')
  service.trouble.clear()

  // Last of all, and read at the time of the rest: else every “2 minutes ago” above would be hours older.
  const now = workspace.options.clock()
  const [player] = players
  const passes = async (what: string) => player && troubles.set(what, true, player, undefined)
  const hourPasses = () => passes(hourLater)

  room('Maintenance')
  const standing = () => new Set(alice.messages(onCall).map(({ ts }) => ts))
  let earlier = standing()
  const comesAnew = (words: string) =>
    comes(() =>
      alice.messages(onCall).find(({ ts, plain }) => !earlier.has(ts) && plain.includes(words)),
    )
  await alice.types('/alert follow 12 min error', onCall)
  await alice.presses('Follow', await comesAnew('in this channel?'))
  const following = await comesAnew('Following Customer 1')
  await comesAnew('open in Customer 1 (12) already')
  const planned = await types('Asked before maintenance', '/alert maintenance db-03 for 30m')
  const begins = async (question: SeenMessage, machine: string) => {
    await alice.presses('Start maintenance', question)
    return alice.sees(`put ${machine} in maintenance until`, onCall)
  }
  const begun = await begins(planned, 'db-03')
  show('In maintenance', 'alice presses _Start maintenance_.', planned)
  show('A channel that follows hears of it', 'The next look.', begun)
  await comes(
    () => following.plain.includes('db-03 is in maintenance') || undefined,
    () => following.plain,
  )
  show('In the follow’s own message', 'A later look.', following)
  await types('A card of that machine', '/alert disk-full')
  await types('It is already', '/alert maintenance db-03 for 1h')
  await types('What is in maintenance', '/alert maintenance 12')
  await types('Its flag is missing', '/alert maintenance db-02 for 1h', bob)
  await types('Without a time', '/alert maintenance db-02')
  const ofWeb01 = await answer(alice, onCall, () =>
    alice.types(`/alert ${service.linkOf('one-hit')}`, onCall),
  )
  await form(
    'The form on a card',
    'alice chooses _Maintenance…_.',
    alice,
    () => alice.presses('Maintenance…', ofWeb01),
    true,
  )
  await alice.submits({ fields: { 'For how long': '30 minutes' } })
  await alice.sees('put web-01 in maintenance until', onCall)
  const hidden = seedAssets.find(({ asset }) => asset.name === 'web-02')?.id ?? 0
  const other = await answer(alice, onCall, () =>
    alice.types('/alert maintenance web-02 for 30m', onCall),
  )
  await begins(other, 'web-02')
  service.setMode('asset/32', { mode: 'maintenance' })
  service.behaves({ hiddenAssets: [hidden] })
  await hourPasses()
  await seesThere('It is over', 'Half an hour later.', 'db-03 is monitored again')
  const late = 'A quarter of an hour after its end.'
  await seesThere('It isn’t over', late, 'web-01 is still in maintenance')
  const setter = await alice.sees('web-01 is still in maintenance', alice.dm)
  show('It isn’t over, for whoever set it', late, setter)
  await alice.presses('Refresh', ofWeb01)
  await comes(
    () => ofWeb01.plain.includes('it should have ended') || undefined,
    () => ofWeb01.plain,
  )
  show('A card says so', 'alice presses _Refresh_.', ofWeb01)
  await seesThere('Nobody can tell', late, 'I can’t tell whether web-02 is monitored again')
  service.behaves({ hiddenAssets: [] })
  await alice.presses('Stop following', following)

  room('A night')
  earlier = standing()
  const eight = clockTime(workspace.options.clock() + 47 * 60_000, alice.member.tz).slice(-5)
  const asked = await types(
    'Asked before it calls',
    `/alert follow 12 min error call @oncall then @leads daily ${eight}`,
  )
  await alice.presses('Follow', asked)
  await comesAnew('open in Customer 1 (12) already')
  for (let at = 0; at < 7; at += 1)
    service.addAlert({ ks: `night-${at}`, containerId: 12, severity: 2, message: 'Link down' })
  await seesThere('Many at once call', 'The next look.', '7 new alerts in Customer 1 (12)')
  await passes(minutesLater)
  await seesThere('Nobody took them', 'Ten minutes later.', 'Nobody has taken 7 of these for 1')
  await passes(minutesLater)
  await passes(minutesLater)
  await seesThere('Nor then', 'Twenty minutes later.', 'Nobody has taken 7 of these for 3')
  for (let times = 0; times < 2; times += 1) await passes(minutesLater)
  await seesThere('What the night was', 'Its time.', '1 call nobody answered')
  await alice.types('/alert unfollow 12', onCall)
  await comesAnew('stopped following Customer 1')

  room('Access that ends')
  await types('Granted for a time', '/grant 34 dave@example.com responder for 1h')
  await types('What ends by itself', '/grant due')
  const hour = hourPasses()
  const soon = 'A quarter of an hour before.'
  show('For whoever gave it', soon, await alice.sees('dave@example.com has Responder', alice.dm))
  show('For whoever has it', soon, await dave.sees('Your Responder on', dave.dm))
  await hour
  show('It has ended', 'The hour is over.', await alice.sees('Ended', alice.dm))
  show(
    'It has ended, for whoever had it',
    'The hour is over.',
    await dave.sees('has ended', dave.dm),
  )
  await answer(alice, onCall, () =>
    alice.types('/grant 34 grace@example.com viewer for 1h', onCall),
  )
  service.behaves({ people: 'members' })
  await hourPasses()
  const unlisted = await alice.sees('Monitoring no longer shows', alice.dm)
  show('No list shows them any more', 'The hour is over.', unlisted)
  const removing = () => alice.presses('Remove now', unlisted)
  const offer = await answer(alice, alice.dm, removing)
  show('Only all of it can be taken', 'alice presses _Remove now_.', offer)
  service.behaves({ people: 'everybody' })
  const disconnecting = await types('Asked before its account is disconnected', '/alert disconnect')
  await becomes('Disconnected', 'Disconnect', disconnecting)
  const gone = await alice.sees('account can’t take it back', alice.dm)
  show(
    'Nobody’s account takes it back',
    'Where approvals are asked for, else to whoever gave it.',
    gone,
  )

  return { now, names: namesIn(workspace), rooms }
}

function channelIn({ workspace }: Slack, name: string): Channel {
  const found = [...workspace.channels.values()].find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no #${name}.`)
  return found
}

/** What *Get alerts at once* shows. With a page of its own for tokens, as only then the bot has an address. */
async function playBell(): Promise<ExhibitState> {
  const { slack, stop } = await openPlayground({ port: 0, isPublic: true })
  try {
    const alice = slack.person('alice')
    const onCall = channelIn(slack, 'on-call')
    await alice.types('/alert follow 12', onCall)
    await alice.presses('Follow', await alice.sees('in this channel?', onCall))
    await alice.presses('Get alerts at once', await alice.sees('Following Customer 1', onCall))
    const { message } = await alice.sees('Get new alerts of', onCall)
    return {
      name: 'The webhook, and its body to paste',
      when: 'alice presses _Get alerts at once_.',
      message: messageState(message, slack.workspace),
    }
  } finally {
    await stop()
  }
}
