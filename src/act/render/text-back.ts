// Texts that were not taken, given back to whoever wrote them. Pure.
import type { KnownBlock } from '@slack/types'
import { type Message, say } from '../../slack/outbound/message.ts'

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
  const said = say(sentence)
  return { ...said, blocks: [...said.blocks, ...textBack(text)] }
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
