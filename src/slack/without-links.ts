// Blocks without the addresses in them, for a Slack that refuses one: words and other buttons stay. Pure.
import type {
  ActionsBlockElement,
  ContextBlockElement,
  KnownBlock,
  MrkdwnElement,
  PlainTextElement,
  RichTextBlockElement,
  RichTextElement,
  SectionBlock,
} from '@slack/types'
import { menu } from './menu.ts'

type Text = PlainTextElement | MrkdwnElement

/** A button that only opens an address goes, and a row of buttons with it when it was the only one. */
export function withoutLinks(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.flatMap((block): KnownBlock[] => {
    switch (block.type) {
      case 'actions': {
        const elements = block.elements.flatMap(withoutAddress)
        return elements.length === 0 ? [] : [{ ...block, elements }]
      }
      case 'context':
        return [{ ...block, elements: block.elements.map(contextWords) }]
      case 'section':
        return [sectionWords(block)]
      case 'rich_text':
        return [{ ...block, elements: block.elements.map(richWords) }]
      default:
        return [block]
    }
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
