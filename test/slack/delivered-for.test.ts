// For whom an event is, as a table: what Slack names, and what the event itself says where a channel is shared.
import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/log/log.ts'
import { eventPayload } from '../../src/slack/guard/payloads.ts'
import { createInstallationFinder, deliveredFor } from '../../src/slack/guard/whose.ts'
import type { Bot } from '../../src/slack/workspace/installation.ts'

const bot = (teamId: string, botUserId: string, changes: Partial<Bot['installation']> = {}): Bot => ({
  token: 'xoxb',
  installation: {
    teamName: undefined,
    enterpriseId: undefined,
    isOrgWide: false,
    botId: undefined,
    url: undefined,
    scopes: undefined,
    teamId,
    botUserId,
    ...changes,
  },
})
const umbrella = { enterpriseId: 'EUMBRELLA' }
const installed = [
  bot('TACME', 'UACMEBOT'),
  bot('TGLOBEX', 'UGLOBEXBOT'),
  bot('TINITECH', 'UINITECHBOT'),
  bot('TUNIT', 'UUNITBOT', umbrella),
  bot('EUMBRELLA', 'UUMBRELLABOT', { ...umbrella, isOrgWide: true }),
]

const find = async (id: string) => installed.find(({ installation }) => installation.teamId === id)
const installations = createInstallationFinder({
  bots: {
    find,
    findAnew: find,
    ofBotUsers: async (ids) => installed.find(({ installation }) => ids.includes(installation.botUserId)),
  },
  log: createLog({ level: 'silent' }),
  only: undefined,
  isGood: async () => true,
})

/** Slack names Globex. */
async function ownerOf(event: object, isShared: unknown = true): Promise<string | undefined> {
  const payload = eventPayload.parse({
    team_id: 'TGLOBEX',
    context_team_id: 'TGLOBEX',
    authorizations: [{ team_id: 'TGLOBEX', enterprise_id: null }],
    is_ext_shared_channel: isShared,
    event: { user: 'U1', ...event },
  })
  return (await installations.forEvent(deliveredFor(payload)))?.teamId
}

const mention = (text: string, teams: object = {}) => ({ type: 'app_mention', text, ...teams })
const ofAcme = { user_team: 'TACME', team: 'TACME' }

describe('an event of a shared channel, where Slack names Globex', () => {
  it.each<[whose: string, event: object, owner: string]>([
    ['the mentioned bot', mention('<@UACMEBOT> alert k1'), 'TACME'],
    ['the mentioned bot, by its name too', mention('hey <@UACMEBOT|bellhop> alert k1'), 'TACME'],
    ['the mentioned bot, whoever wrote it', mention('<@UGLOBEXBOT> alert k1', ofAcme), 'TGLOBEX'],
    ['the mentioned bot, of a third customer', mention('<@U1> <@UINITECHBOT> alert k1', ofAcme), 'TINITECH'],
    ['the writer’s, of two that are mentioned', mention('<@UGLOBEXBOT> <@UACMEBOT> alert', ofAcme), 'TACME'],
    ['the one Slack names, of two that are mentioned', mention('<@UACMEBOT> <@UGLOBEXBOT> alert'), 'TGLOBEX'],
    ['the writer’s, where no bot is mentioned', mention('alert k1', ofAcme), 'TACME'],
    ['the writer’s, by what their team is alone', mention('alert k1', { team: 'TACME' }), 'TACME'],
    [
      'the user’s team before the message’s',
      mention('k1', { user_team: 'TACME', team: 'TINITECH' }),
      'TACME',
    ],
    ['the one Slack names, for a writer of no customer', mention('k1', { user_team: 'TELSE' }), 'TGLOBEX'],
    ['the one Slack names, where nothing else is said', mention('alert k1'), 'TGLOBEX'],
    ['the poster’s, of a link', { type: 'link_shared', links: [], ...ofAcme }, 'TACME'],
    ['the one Slack names, of a link without a team', { type: 'link_shared', links: [] }, 'TGLOBEX'],
    [
      'the one Slack names, of a direct message',
      { type: 'message', text: '<@UACMEBOT>', ...ofAcme },
      'TGLOBEX',
    ],
    ['whom it is about, of a person', { type: 'user_change', user: { id: 'U1', team_id: 'TACME' } }, 'TACME'],
    [
      'the one Slack names, of a person of none',
      { type: 'user_change', user: { team_id: 'TELSE' } },
      'TGLOBEX',
    ],
    ['the one Slack names, of nobody', { type: 'user_change', user: 'U1' }, 'TGLOBEX'],
    ['its organisation’s, where both have it', mention('alert k1', { team: 'TUNIT' }), 'EUMBRELLA'],
    ['the one Slack names, of Home', { type: 'app_home_opened', ...ofAcme }, 'TGLOBEX'],
    ['the one Slack names, of a channel', { type: 'channel_shared', connected_team_id: 'TACME' }, 'TGLOBEX'],
    ['the one Slack names, when it is taken out', { type: 'app_uninstalled', ...ofAcme }, 'TGLOBEX'],
    ['the one Slack names, of odd fields', mention('', { user_team: 7, team: null, text: ['x'] }), 'TGLOBEX'],
  ])('is for %s', async (_, event, owner) => {
    expect(await ownerOf(event)).toBe(owner)
  })

  it.each([[false], [null], ['yes']])(
    'is Slack’s to name where it is not said to be shared: %s',
    async (isShared) => {
      expect(await ownerOf(mention('<@UACMEBOT> alert k1', ofAcme), isShared)).toBe('TGLOBEX')
    },
  )

  it('is looked at no further than a message is read', () => {
    const text = `${'x'.repeat(10_000)}<@UACMEBOT>`
    const many = Array.from({ length: 30 }, (_, at) => `<@U${at}MANY>`).join(' ')
    const mentionedIn = (words: string) =>
      deliveredFor(eventPayload.parse({ is_ext_shared_channel: true, event: mention(words) })).hints
        ?.mentioned
    expect(mentionedIn(text)).toEqual([])
    expect(mentionedIn(many)).toHaveLength(20)
  })
})

describe('an event about somebody', () => {
  async function ownersOf(home: string | undefined, named = 'TGLOBEX'): Promise<readonly string[]> {
    const payload = eventPayload.parse({
      team_id: named,
      authorizations: [{ team_id: named, enterprise_id: null }],
      event: { type: 'user_change', user: { id: 'U1', team_id: home } },
    })
    return (await installations.forPerson(deliveredFor(payload))).map(({ teamId }) => teamId)
  }

  it.each([
    ['where Slack names it, and at their home', 'TACME', ['TGLOBEX', 'TACME']],
    ['once where that is the same', 'TGLOBEX', ['TGLOBEX']],
    ['where Slack names it, when their home is none of ours', 'TOTHER', ['TGLOBEX']],
    ['where Slack names it, when it does not say their home', undefined, ['TGLOBEX']],
  ])('counts %s', async (_where, home, expected) => {
    expect(await ownersOf(home)).toEqual(expected)
  })

  it('counts at their home alone, when Slack names somebody that is none of ours', async () => {
    expect(await ownersOf('TACME', 'TOTHER')).toEqual(['TACME'])
  })
})
