// Suggestions of a menu while somebody types: the way in of what Slack asks for with nearly every key, up to its answer,
// which is the ack; and the proof that Slack asks.
//
//   charge · who · listener, and then the ack
//
// It changes nothing, so that it may come again, and it brings no way to answer but the ack. So nobody can be told what
// fails, or that they are a stranger: the menu suggests nothing then, and the log says why.
import type { Middleware, SlackOptionsMiddlewareArgs } from '@slack/bolt'
import type { PlainTextOption } from '@slack/types'
import type { Log } from '../../log/log.ts'
import { endsAs, noteWorkspace, setAbout } from '../../log/request.ts'
import { inTime } from '../../work/under-way.ts'
import { aboutOf, type Topic } from '../request-topics.ts'
import { limits } from '../text/limits.ts'
import { cut, literal } from '../text/mrkdwn.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import { suggestionPayload } from './payloads.ts'
import type { Suggestion, Typing } from './requests.ts'
import type { GuardRoom } from './room.ts'
import type { FieldMode } from './suggesting-field.ts'
import { isDirectOrGroup, type Sent, sentBy } from './who.ts'

type Typed = Pick<Typing, 'typed' | 'privateMetadata'>
type Suggest = (typing: Typing) => Promise<readonly Suggestion[]>

/** Slack waits three seconds for the ack, and the way to it takes some. */
const answerMs = 2_000

export function createSuggestionGuard(room: GuardRoom) {
  const { gate, personOf, suggesting, work, log } = room

  async function ask(topic: Topic, sent: Sent, { typed, privateMetadata }: Typed, suggest: Suggest) {
    // That would be waited for.
    if (!room.isKnown()) return []
    const installation = await room.installation()
    const workspaceId = workspaceIdOf(installation)
    noteWorkspace(workspaceId)
    if (!gate.chargeKey(topic, { workspaceId, userId: sent.sender.userId })) return []
    const asker = await personOf(installation, sent.sender)
    if (asker === undefined) return []
    return suggest({ asker, place: { ...sent.spot, workspaceId }, typed, privateMetadata })
  }

  /** Never rejects. */
  async function askSafely(...asked: Parameters<typeof ask>): Promise<readonly Suggestion[]> {
    try {
      const found = await inTime(ask(...asked), answerMs)
      if (found !== undefined) return found
      log.warn('suggestions took too long, so there were none')
    } catch (error) {
      log.error({ err: error }, 'a request failed')
    }
    endsAs('failed')
    return []
  }

  return (topic: Topic, suggest: Suggest): Middleware<SlackOptionsMiddlewareArgs<'block_suggestion'>> =>
    async ({ ack, body }) => {
      const { value: typed, ...asked } = suggestionPayload.parse(body)
      const { channel, user, view } = asked
      const privateMetadata = view?.private_metadata ?? ''
      const isDirect = channel != null && isDirectOrGroup(channel.id, channel.name)
      const spot = { userId: user.id, channelId: channel?.id, responseUrl: undefined, isDirect }
      await work.run(async () => {
        setAbout(aboutOf[topic])
        await ack({
          options: optionsOf(
            await askSafely(topic, sentBy(asked, spot), { typed, privateMetadata }, suggest),
          ),
        })
        await suggesting.arrived()
      })
    }
}

/** As Slack takes them: plain text of a bounded length, each value once, and no more than it shows. Pure. */
export function optionsOf(suggestions: readonly Suggestion[]): PlainTextOption[] {
  const byValue = new Map<string, PlainTextOption>()
  for (const { label, value } of suggestions) {
    if (label === '' || value === '' || value.length > limits.optionValue || byValue.has(value)) continue
    byValue.set(value, { text: literal(cut(label, limits.optionText)), value })
  }
  return [...byValue.values()].slice(0, limits.selectOptions)
}

/**
 * Whether Slack asks Bellhop for suggestions. By Socket Mode it always does. Over HTTP it does where the app's manifest
 * names an address for that, which no method of Slack's tells: so a request that came is the proof, kept for a month.
 */
export interface Suggesting {
  /** Of a form that is about to open. Never rejects, and is soon there. */
  mode(): Promise<FieldMode>
  /** A request for suggestions came, from Slack itself. Never rejects. */
  arrived(): Promise<void>
}

/** The part of `Once` that remembers it. */
interface Proofs {
  claim(workspaceId: string, key: string, withinMs: number): Promise<boolean>
  wasClaimed(workspaceId: string, key: string, withinMs: number): Promise<boolean>
}

const wholeApp = ''
const proof = 'suggestions arrive'
const dayMs = 24 * 60 * 60_000
/** As long as the store keeps it: one that is used is renewed each day. */
const goodMs = 30 * dayMs
/** Whoever opens a form has three seconds for all of it. */
const askedMs = 500

/** @param room.always - By Socket Mode. */
export function createSuggesting(room: {
  readonly always: boolean
  readonly proofs: Proofs
  readonly log: Log
  readonly now: () => number
}): Suggesting {
  const { always, proofs, log, now } = room
  let arrivedAt = Number.NEGATIVE_INFINITY

  async function isProved(): Promise<boolean> {
    if (now() - arrivedAt < goodMs) return true
    try {
      return (await inTime(proofs.wasClaimed(wholeApp, proof, goodMs), askedMs)) ?? false
    } catch (error) {
      log.warn({ err: error }, 'could not find out whether Slack asks for suggestions')
      return false
    }
  }

  return {
    async mode() {
      if (always) return { kind: 'suggests', canSwitch: false }
      return { kind: (await isProved()) ? 'suggests' : 'typed', canSwitch: true }
    },
    async arrived() {
      if (always || Math.abs(now() - arrivedAt) < dayMs) return
      arrivedAt = now()
      try {
        await proofs.claim(wholeApp, proof, dayMs)
      } catch (error) {
        log.warn({ err: error }, 'could not keep that Slack asks for suggestions')
      }
    },
  }
}
