// Blocks without the links in them, for a Slack that refuses an address: words and other buttons stay. Pure.
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
import { limits } from '../text/limits.ts'
import { cut, literal } from '../text/mrkdwn.ts'
import { menu } from './menu.ts'

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
  return element.type === 'link' ? { type: 'text', text: element.text || element.url } : element
}
