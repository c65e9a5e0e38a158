// Nothing reaches from one workspace into another: everything that people of Acme did is sent again by somebody of
// Globex, with Acme's own ids in it, to every listener that there is.
import { afterAll, describe, expect, it, vi } from 'vitest'
import { type Json, record, text } from '../../playground/slack/model/json.ts'
import { annToken, playAcme, secrets } from './acme-story.ts'
import { rowsOf, stateOf } from './books.ts'
import { forged, ownResponseUrl, send } from './forging.ts'
import { gusToken, listenerOf, sendings, spyOnListeners } from './sendings.ts'
import { type Installs, openInstalls } from './world.ts'

const no = 'this Bellhop belongs to another organisation'

/** Acme has done everything; Gus of Globex is connected; Slack is quiet. */
async function openBoth() {
  const listeners = spyOnListeners()
  const env = { WATCH_INTERVAL_SECONDS: '3600', RATE_PER_MINUTE: '1000' }
  const world = await openInstalls({ env, until: afterAll })
  await world.installEverywhere()
  await playAcme(world)
  await seeNames(world)
  const { globex, front } = world
  await world.connect(globex.admin, globex, gusToken)
  await front.idle()
  // Look-ups are written down a moment later, and this is the last of them.
  const lookUps = () => JSON.stringify(rowsOf(world, world.acme.workspaceId).audit_look_ups)
  await vi.waitUntil(() => lookUps().includes('not-done:forbidden'), { timeout: 30_000, interval: 20 })
  return { world, listeners: listeners(), all: sendings(world, listeners()) }
}

/** One for all tests: that nothing changes what there is, is what they show. */
const { world, listeners, all } = await openBoth()

/** It is known who Ann is. */
async function seeNames({ acme, storage }: Installs): Promise<void> {
  const ann = { workspaceId: acme.workspaceId, userId: acme.admin.id }
  await storage.ownIds.keep(ann, { userId: 7, isMatched: true })
}

function inOwnWords(payload: Json): Json {
  return record(JSON.parse(JSON.stringify(payload).replaceAll(secrets.reason, 'Because I say so')))
}

/** Installing by OAuth needs PUBLIC_URL, and where that is set no form for tokens opens. */
const unused = ['view account.connect']

describe('what is known of one workspace', () => {
  it('is used by its own people, through every listener that there is', async () => {
    const sent = new Set(all.map(listenerOf))
    // A new listener needs a line in the story of Acme.
    expect([...new Set(listeners)].filter((one) => !sent.has(one))).toEqual(unused)
    expect(
      Object.entries(rowsOf(world, world.acme.workspaceId)).filter(([, rows]) => rows.length === 0),
    ).toEqual([])
  })

  it.each([
    ['somebody of another', ({ globex }: Installs) => globex.admin.id],
    ['somebody of another who has the same id as one of its people', ({ acme }: Installs) => acme.admin.id],
  ])(
    'cannot be reached, changed or seen by %s',
    async (_, whose) => {
      const { globex, front, service } = world
      // Whoever asks faster is turned away before anything is looked up; each of the two has a limit of their own.
      expect(all.length).toBeLessThan(1000)
      const before = stateOf(world)
      const asked = service.requests.length
      const spoken = globex.slack.calls.length

      for (const sending of all) {
        const forger = {
          userId: whose(world),
          teamId: globex.slack.teamId,
          deliveredFor: { teamId: globex.slack.teamId, botUserId: globex.slack.bot.userId },
          responseUrl: await ownResponseUrl(world),
        }
        // They type words of their own: those of Acme they could only have from the bot.
        const payload = inOwnWords(forged(sending, forger))
        expect(await send(world, sending.kind, payload), listenerOf(sending)).toBe(200)
      }
      await front.idle()

      expect(stateOf(world)).toEqual(before)
      expect(
        service.requests.slice(asked).filter(({ token }) => token !== 'gus' && token !== undefined),
      ).toEqual([])
      const said = JSON.stringify(globex.slack.calls.slice(spoken).map(({ args }) => args))
      for (const secret of [secrets.reason, annToken]) expect(said).not.toContain(secret)
    },
    60_000,
  )

  it('is shown to somebody of another in a shared channel, who gets a clear no for each press', async () => {
    const { acme, globex, front, service } = world
    const inChannel = new Set(['block_actions', 'view_submission', 'message_action', 'shortcut'])
    const shown = all.filter(
      ({ kind, payload }) =>
        inChannel.has(kind) || ['app_mention', 'link_shared'].includes(String(record(payload.event).type)),
    )
    const { rows, calls } = stateOf(world)
    const asked = service.requests.length

    for (const sending of shown) {
      const { payload } = await acme.member.types('/alert help', acme.general)
      const forger = {
        userId: globex.admin.id,
        teamId: globex.slack.teamId,
        deliveredFor: { teamId: acme.slack.teamId, botUserId: acme.slack.bot.userId },
        responseUrl: text(payload.response_url) ?? '',
      }
      expect(await send(world, sending.kind, forged(sending, forger)), listenerOf(sending)).toBe(200)
    }
    await front.idle()

    expect(rowsOf(world, acme.workspaceId)).toEqual(rows)
    expect(service.requests).toHaveLength(asked)
    const later = acme.slack.calls.slice(calls.length)
    expect(new Set(later.map(({ method }) => method))).toEqual(
      new Set(['chat.postEphemeral', 'response_url', 'users.info', 'chat.postMessage']),
    )
    const told = later.filter(({ args }) => !String(args.text).includes('/alert doctor'))
    expect(
      told.filter(
        ({ method, args, answer }) =>
          method !== 'users.info' && answer.ok !== false && !String(args.text).includes(no),
      ),
    ).toEqual([])
    expect(told.length).toBeGreaterThan(20)
  }, 60_000)
})
