// Suggestions of a menu while somebody types: the way in of what Slack asks for with nearly every key, up to its answer,
// which is the ack; the proof that Slack asks; and the field itself, which takes what they type where Slack doesn't ask.
//
//   busy · whose · charge · who · listener, and then the ack
//
// It changes nothing, so that it may come again, and it brings no way to answer but the ack. So nobody can be told what
// fails, or that they are a stranger: the menu suggests nothing then, and the log says why.
import type { Middleware, SlackOptionsMiddlewareArgs } from '@slack/bolt'
import type { KnownBlock, PlainTextOption } from '@slack/types'
import { z } from 'zod'
import type { Log } from '../../log/log.ts'
import { endsAs, isAbout, isInWorkspace } from '../../log/request.ts'
import { inTime } from '../../work/under-way.ts'
import { aboutOf, type Topic } from '../request-topics.ts'
import { limits } from '../text/limits.ts'
import { cut, literal, plain } from '../text/mrkdwn.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import { suggestionPayload } from './payloads.ts'
import type { Filled, Suggestion, Typing } from './requests.ts'
import type { GuardRoom } from './room.ts'
import { isDirectOrGroup, type Sent, sentBy } from './who.ts'

type Typed = Pick<Typing, 'typed' | 'privateMetadata'>
type Suggest = (typing: Typing) => Promise<readonly Suggestion[]>

/** Slack waits three seconds for the ack, and the way to it takes some. */
const answerMs = 2_000

export function createSuggestionGuard(room: GuardRoom) {
  const { gate, installations, personOf, suggesting, work, log } = room

  async function ask(topic: Topic, sent: Sent, { typed, privateMetadata }: Typed, suggest: Suggest) {
    if (gate.turnDownIfBusy(topic, true) !== undefined) return []
    // `whose` would wait until Slack has said who the bot is.
    if (!room.isKnown()) return []
    const installation = await installations.forRequest(sent.addressed)
    if (installation === undefined) return []
    const workspaceId = workspaceIdOf(installation)
    isInWorkspace(workspaceId)
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
        isAbout(aboutOf[topic])
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

/** The address is the app's, whichever workspace it is installed in. */
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

/** How a field that can suggest is drawn. */
export interface FieldMode {
  /** `suggests`: as a menu that asks Bellhop. `typed`: as a text. */
  readonly kind: 'suggests' | 'typed'
  /** Whoever fills it in can have it the other way. */
  readonly canSwitch: boolean
}

export interface FieldWords {
  readonly label: string
  /** Of a text, and of a menu that suggests. */
  readonly hints: Readonly<Record<FieldMode['kind'], string>>
  readonly placeholder: string
  /** On the button that has it the other way. */
  readonly switches: Readonly<Record<FieldMode['kind'], string>>
}

export interface FieldIds {
  /** Block id of the text, from which the others are made. Slack keeps what is in a block of the same id. */
  readonly input: string
  /** Action id by which Slack asks for suggestions. */
  readonly suggest: string
  /** Action id of the button. */
  readonly switch: string
}

/** A field in a form. */
export interface DrawnField extends FieldMode {
  /** New each time somebody has it the other way: Slack keeps what stood in a block of the same id, however long ago. */
  readonly stamp?: string
}

const listOf = (input: string) => `${input} list`
const switchOf = (input: string) => `${input} switch`
const stamped = (id: string, stamp = '') => (stamp === '' ? id : `${id} ${stamp}`)
/** Its stamp; undefined for another block. */
const stampIn = (id: string, of: string) =>
  id === of ? '' : id.startsWith(`${of} `) ? id.slice(of.length + 1) : undefined

/** @param initial - Of a text `text`; of a menu `option`. */
export function fieldBlocks(
  ids: FieldIds,
  { kind, canSwitch, stamp }: DrawnField,
  words: FieldWords,
  initial: { readonly text: string; readonly option: PlainTextOption | undefined; readonly most: number },
): readonly KnownBlock[] {
  const shared = { type: 'input', label: plain(words.label), hint: plain(words.hints[kind]) } as const
  const { text, option, most } = initial
  const field: KnownBlock =
    kind === 'typed'
      ? {
          ...shared,
          block_id: stamped(ids.input, stamp),
          element: {
            type: 'plain_text_input',
            action_id: ids.input,
            max_length: most,
            ...(text === '' ? {} : { initial_value: text.slice(0, most) }),
          },
        }
      : {
          ...shared,
          block_id: stamped(listOf(ids.input), stamp),
          element: {
            type: 'external_select',
            action_id: ids.suggest,
            min_query_length: 0,
            placeholder: plain(words.placeholder),
            ...(option === undefined ? {} : { initial_option: option }),
          },
        }
  if (!canSwitch) return [field]
  const button = { type: 'button', action_id: ids.switch, text: plain(words.switches[kind]) } as const
  return [field, { type: 'actions', block_id: switchOf(ids.input), elements: [button] }]
}

/** The field that was filled in: its block id, for a problem there, and what stands in it. */
export function readField(filled: Filled, input: string): { readonly input: string; readonly text: string } {
  const list = filled.inputs.find((id) => stampIn(id, listOf(input)) !== undefined)
  if (list !== undefined) return { input: list, text: filled.choice(list) ?? '' }
  const text = filled.inputs.find((id) => stampIn(id, input) !== undefined) ?? input
  return { input: text, text: filled.text(text) }
}

const shownBlock = z.object({ type: z.string(), block_id: z.string() })

/** How a form that is shown already has it. @param blocks - As Slack gives them. */
export function fieldIn(blocks: readonly unknown[], input: string): DrawnField {
  const shown = blocks.flatMap((block) => shownBlock.safeParse(block).data ?? [])
  const ids = shown.flatMap(({ type, block_id: id }) => (type === 'input' ? id : []))
  const canSwitch = shown.some(({ block_id: id }) => id === switchOf(input))
  const [list] = ids.flatMap((id) => stampIn(id, listOf(input)) ?? [])
  if (list !== undefined) return { kind: 'suggests', canSwitch, stamp: list }
  const [stamp = ''] = ids.flatMap((id) => stampIn(id, input) ?? [])
  return { kind: 'typed', canSwitch, stamp }
}

/** The same the other way. @param stamp - A new one. */
export function switched({ kind, canSwitch }: DrawnField, stamp: string): DrawnField {
  return { kind: kind === 'typed' ? 'suggests' : 'typed', canSwitch, stamp }
}
