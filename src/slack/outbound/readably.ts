// Sends with less what Slack cannot read: without its links first, as Slack is choosy about addresses.
import type {
  ActionsBlockElement,
  ContextBlockElement,
  KnownBlock,
  MrkdwnElement,
  PlainTextElement,
  RichTextBlockElement,
  RichTextElement,
  SectionBlock,
  SectionBlockAccessory,
} from '@slack/types'
import type { Log } from '../../log/log.ts'
import { classify, complaintsOf } from '../client/refusals.ts'
import type { Patiently } from '../client/web-client.ts'
import { limits } from '../text/limits.ts'
import { cut, literal } from '../text/mrkdwn.ts'
import { type Message, menu } from './message.ts'

// Slack's words for blocks that it cannot read. They are a defect of ours, or an address that Slack does not like.
const unreadable = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long'])
/** The same, of a view. */
const unreadableView = new Set(['invalid_arguments', 'invalid_blocks', 'view_too_large'])

/** True when Slack cannot read a view, so that sending it once more would not help. */
export function isUnreadableView(error: unknown): boolean {
  return unreadableView.has(classify(error).word ?? '')
}

/** Undefined when there was no link, or nothing else. */
function linkless(blocks: readonly KnownBlock[]): KnownBlock[] | undefined {
  const bare = withoutLinks(blocks)
  if (bare.length === 0) return undefined
  return JSON.stringify(bare) === JSON.stringify(blocks) ? undefined : bare
}

export interface Readably {
  /** Sends all of a message; when Slack cannot read it, without links; and at last its sentence alone. */
  message<T>(message: Message, send: (message: Message) => Promise<T>, how?: Patiently): Promise<T>
  /** Sends a view; when Slack cannot read it, once more without links. @throws Slack’s first refusal. */
  view<V extends { readonly blocks: KnownBlock[] }, T>(view: V, send: (view: V) => Promise<T>): Promise<T>
}

export function createReadably({
  log,
  patiently,
}: {
  readonly log: Log
  readonly patiently: Patiently
}): Readably {
  return {
    message(message, send, how = patiently) {
      const attempt = (blocks: readonly KnownBlock[]) => how(() => send({ text: message.text, blocks }))
      return attempt(message.blocks).catch((error: unknown) => {
        if (!unreadable.has(classify(error).word ?? '')) throw error
        const bare = linkless(message.blocks)
        log.error(
          { err: error, complaints: complaintsOf(error) },
          `Slack rejects blocks of ours; sending ${bare ? 'them without links' : 'only their sentence'}`,
        )
        if (bare === undefined) return attempt([])
        return attempt(bare).catch((again: unknown) => {
          if (!unreadable.has(classify(again).word ?? '')) throw again
          log.error(
            { complaints: complaintsOf(again) },
            'Slack rejects them without links, too; sending only their sentence',
          )
          return attempt([])
        })
      })
    },
    async view(view, send) {
      try {
        return await send(view)
      } catch (error) {
        const blocks = isUnreadableView(error) ? linkless(view.blocks) : undefined
        if (blocks === undefined) throw error
        log.error(
          { err: error, complaints: complaintsOf(error) },
          'Slack rejects a view of ours; sending it without links',
        )
        return send({ ...view, blocks }).catch(() => {
          throw error
        })
      }
    },
  }
}

type Text = PlainTextElement | MrkdwnElement

/**
 * A button that only opens an address goes. As it can be the only way on, words below its row say where it leads: plain
 * text holds no address for Slack to refuse. What a menu opens goes without a word, and a row of which nothing is left.
 */
export function withoutLinks(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.flatMap((block): KnownBlock[] => {
    switch (block.type) {
      case 'actions': {
        const elements = block.elements.flatMap(withoutAddress)
        return [...(elements.length === 0 ? [] : [{ ...block, elements }]), ...waysOf(block.elements)]
      }
      case 'context':
        return [{ ...block, elements: block.elements.map(contextWords) }]
      case 'section':
        return [sectionWords(block), ...waysOf(block.accessory === undefined ? [] : [block.accessory])]
      case 'rich_text':
        return [{ ...block, elements: block.elements.map(richWords) }]
      default:
        return [block]
    }
  })
}

/** Where the buttons among these lead that open an address, to be copied. */
function waysOf(elements: readonly (ActionsBlockElement | SectionBlockAccessory)[]): KnownBlock[] {
  return elements.flatMap((element): KnownBlock[] => {
    if (element.type !== 'button' || element.url === undefined) return []
    const way = `${element.text.text}: open ${element.url} in your browser.`
    return [{ type: 'context', elements: [literal(cut(way, limits.sectionText))] }]
  })
}

function withoutAddress(element: ActionsBlockElement): ActionsBlockElement[] {
  if (element.type === 'button') return element.url === undefined ? [element] : []
  if (element.type !== 'overflow') return [element]
  const options = element.options.filter(({ url }) => url === undefined)
  return options.length === element.options.length ? [element] : menu(element.action_id ?? '', options)
}

function sectionWords({ accessory, text, fields, ...section }: SectionBlock): SectionBlock {
  const opensAddress = accessory?.type === 'button' && accessory.url !== undefined
  return {
    ...section,
    ...(text === undefined ? {} : { text: words(text) }),
    ...(fields === undefined ? {} : { fields: fields.map(words) }),
    ...(accessory === undefined || opensAddress ? {} : { accessory }),
  }
}

function contextWords(element: ContextBlockElement): ContextBlockElement {
  return element.type === 'image' ? element : words(element)
}

function words(text: Text): Text {
  return text.type === 'mrkdwn' ? { ...text, text: withoutTokens(text.text) } : text
}

/** `<https://example.com|words>` becomes `words`; mentions and dates stay. */
function withoutTokens(mrkdwn: string): string {
  return mrkdwn.replaceAll(
    /<(https?:\/\/[^<>|]*)(?:\|([^<>]*))?>/gi,
    (_link, address, label) => label || address,
  )
}

function richWords(element: RichTextBlockElement): RichTextBlockElement {
  switch (element.type) {
    case 'rich_text_section':
      return { ...element, elements: element.elements.map(inlineWords) }
    case 'rich_text_list':
      return {
        ...element,
        elements: element.elements.map((line) => ({ ...line, elements: line.elements.map(inlineWords) })),
      }
    default:
      return element
  }
}

function inlineWords(element: RichTextElement): RichTextElement {
  if (element.type !== 'link') return element
  const { url, text, style } = element
  return { type: 'text', text: text || url, ...(style === undefined ? {} : { style }) }
}
