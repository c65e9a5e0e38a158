// mrkdwn taken apart, ready to be shown. Pure.

import { type Node, NodeType, parse } from 'slack-message-parser'
import { safeAddress } from './address.ts'

/** A piece of a text: words, or words with a style around other pieces. */
export type Piece =
  | { readonly is: 'text' | 'code' | 'preformatted'; readonly text: string }
  | { readonly is: 'bold' | 'italic' | 'strike' | 'quote'; readonly pieces: readonly Piece[] }
  | { readonly is: 'link'; readonly url: string; readonly pieces: readonly Piece[] }
  | { readonly is: 'user' | 'channel'; readonly id: string; readonly label: string | undefined }
  | { readonly is: 'broadcast'; readonly range: string }
  | {
      readonly is: 'date'
      readonly timestamp: number
      readonly format: string
      readonly url: string | undefined
      readonly fallback: string
    }

/** What comes escaped in mrkdwn, as people read it. */
function unescaped(source: string): string {
  return source.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Text of any kind, also hostile: what is no markup stays as it was written. */
export function readMrkdwn(source: string): readonly Piece[] {
  try {
    return pieces(parse(source).children)
  } catch (error) {
    // The parser calls itself for every line of a quote: thousands of them are more than the stack holds.
    if (error instanceof RangeError) return [words(source)]
    throw error
  }
}

function words(source: string): Piece {
  return { is: 'text', text: unescaped(source) }
}

function pieces(nodes: readonly Node[]): readonly Piece[] {
  return nodes.flatMap((node, index) => {
    if (node.type !== NodeType.Text) return [piece(node)]
    // A preformatted text stands on lines of its own: the breaks around it are not shown as well.
    let { text } = node
    if (nodes[index - 1]?.type === NodeType.PreText) text = text.replace(/^\n/, '')
    if (nodes[index + 1]?.type === NodeType.PreText) text = text.replace(/\n$/, '')
    return text === '' ? [] : [words(text)]
  })
}

function piece(node: Node): Piece {
  switch (node.type) {
    case NodeType.Bold:
      return { is: 'bold', pieces: pieces(node.children) }
    case NodeType.Italic:
      return { is: 'italic', pieces: pieces(node.children) }
    case NodeType.Strike:
      return { is: 'strike', pieces: pieces(node.children) }
    case NodeType.Quote:
      return { is: 'quote', pieces: pieces(withoutIndent(node.children)) }
    case NodeType.Code:
      return { is: 'code', text: unescaped(node.text) }
    case NodeType.PreText:
      return { is: 'preformatted', text: unescaped(node.text).replace(/^\n|\n$/g, '') }
    case NodeType.UserLink:
      return { is: 'user', id: node.userID, label: labelOf(node.label) }
    case NodeType.ChannelLink:
      return { is: 'channel', id: node.channelID, label: labelOf(node.label) }
    case NodeType.Command:
      return command(node.name, node.arguments, labelOf(node.label), node.source)
    case NodeType.URL: {
      const url = safeAddress(unescaped(node.url))
      if (url === undefined) return words(node.source)
      const label = node.label ? pieces(node.label) : [words(node.url.replace(/^mailto:/, ''))]
      return { is: 'link', url, pieces: label }
    }
    default:
      return words(node.source)
  }
}

function command(
  name: string,
  [timestamp, format, url]: readonly string[],
  label: string | undefined,
  source: string,
): Piece {
  if (['here', 'channel', 'everyone'].includes(name)) return { is: 'broadcast', range: name }
  if (name === 'subteam' && timestamp !== undefined) return { is: 'user', id: timestamp, label }
  if (name !== 'date' || timestamp === undefined || format === undefined) return words(source)
  return {
    is: 'date',
    timestamp: Number(timestamp),
    format: unescaped(format),
    url: url === undefined ? undefined : unescaped(url),
    fallback: label ?? '',
  }
}

function labelOf(nodes: readonly Node[] | undefined): string | undefined {
  return nodes === undefined ? undefined : unescaped(nodes.map(({ source }) => source).join(''))
}

/** “> quoted” is read without the space behind the sign, line by line. */
function withoutIndent(nodes: readonly Node[]): readonly Node[] {
  return nodes.map((node, index) => {
    const startsLine = index === 0 || nodes[index - 1]?.source.endsWith('\n')
    if (node.type !== NodeType.Text || !startsLine) return node
    return { ...node, text: node.text.replace(/^ /, '') }
  })
}
