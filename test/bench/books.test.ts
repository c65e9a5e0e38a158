import { describe, expect, it } from 'vitest'
import { openBooks } from '../../bench/stand-ins/books.ts'

const card = { key: 'bench-1', ts: '1.1', threadTs: undefined }
const reply = { key: 'bench-1', ts: '1.2', threadTs: '1.1' }

describe('the books of a bench', () => {
  it('take a command as done when its card and its reply are answered', async () => {
    const books = openBooks()
    const told = books.expect('bench-1', 'token')

    books.posted(card)()
    books.posted(reply)()

    expect(await told).toEqual({ lastPostAt: expect.any(Number) })
    expect(books.add()).toEqual({ commands: 1, cards: 1, replies: 1 })
  })

  it.each([
    ['a card is posted twice', [card, { ...card, ts: '1.3' }]],
    ['a thread is told twice', [card, reply, { ...reply, ts: '1.3' }]],
    ['a reply goes into no thread of a card', [card, { ...reply, threadTs: '1.9' }]],
    ['a reply is about another alert', [card, { ...reply, key: 'bench-2' }]],
    ['something is posted that nobody asked for', [{ ...card, key: 'bench-2' }]],
  ])('fail when %s', async (_, posts) => {
    const books = openBooks()
    books.expect('bench-1', 'token').catch(() => undefined)

    for (const post of posts) books.posted(post)()

    expect(() => books.add()).toThrow(/twice/)
  })

  it('do not add up while a reply is missing', () => {
    const books = openBooks()
    books.expect('bench-1', 'token').catch(() => undefined)
    books.posted(card)()

    expect(() => books.add()).toThrow('1 commands made 1 cards and 0 replies.')
  })
})
