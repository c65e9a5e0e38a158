// Texts that were not taken, given back to whoever wrote them. Pure.
import type { KnownBlock } from '@slack/types'
import { type Message, say } from './message.ts'

/** A message of them fits, however many letters have to be escaped. */
const longestPiece = 2_500
const mostPieces = 4

/** Nothing in it becomes a mention or a link, and it is easily copied. Of very long ones, the beginning. @param text - Raw. */
export function textBack(text: string): readonly KnownBlock[] {
  return piecesOf(text).map((piece) => ({
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: piece }] }],
  }))
}

/** @param sentence - Why it was not taken, raw. @param text - Raw. */
export function renderTextBack(sentence: string, text: string): Message {
  return withTextBack(say(sentence), text)
}

/** Below what is said, and above what can be pressed. @param text - Raw. */
export function withTextBack(message: Message, text: string): Message {
  const { blocks } = message
  const buttons = blocks.filter(({ type }) => type === 'actions')
  const others = blocks.filter(({ type }) => type !== 'actions')
  return { ...message, blocks: [...others, ...textBack(text), ...buttons] }
}

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of text.toWellFormed()) {
    if (piece.length + character.length > longestPiece) {
      pieces.push(piece)
      piece = ''
    }
    if (pieces.length === mostPieces) return [...pieces.slice(0, -1), `${pieces.at(-1)} …`]
    piece += character
  }
  return piece === '' ? pieces : [...pieces, piece]
}
