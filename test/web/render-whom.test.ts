// The head of the token page: whose Slack account a link connects.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Whom } from '../../src/account/token-page.ts'
import { renderWhom } from '../../src/web/render-connect.ts'
import { anyCharacter } from '../any-text.ts'

const workspace = { name: 'Acme', domain: 'acme.slack.com' }
const alice: Whom = { email: 'alice@example.com', handle: 'alice', name: 'Alice Archer', workspace }

/** The words, with a space where a line ends. */
function wordsOf(whom: Partial<Whom>): string {
  const { markup } = renderWhom({ ...alice, ...whom })
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const warning = 'If this isn’t you, close this page: whoever sent you the link would act with your token.'

describe('the head of the token page', () => {
  it('has the verified address first and strongest, then the handle, then the name', () => {
    expect(wordsOf({})).toBe(
      `This connects the Slack account alice@example.com (@alice, “Alice Archer”) in the Slack workspace Acme (acme.slack.com). ${warning}`,
    )
    expect(renderWhom(alice).markup).toContain(
      '<strong class="address"><bdi>alice@example.com</bdi></strong>',
    )
  })

  it('says what it could not tell', () => {
    expect(wordsOf({ email: undefined })).toBe(
      `This connects the Slack account @alice (“Alice Archer”) in the Slack workspace Acme (acme.slack.com). Bellhop couldn’t find out its email address. Continue only if you opened this link yourself, from Bellhop’s message in Slack. ${warning}`,
    )
    expect(wordsOf({ email: undefined, handle: undefined, name: undefined, workspace: {} })).toContain(
      'This connects a Slack account. Bellhop couldn’t find out its email address.',
    )
    expect(wordsOf({ name: 'alice', workspace: { domain: 'acme.slack.com' } })).toContain(
      'alice@example.com (@alice) in the Slack workspace acme.slack.com. If this',
    )
  })

  it('cuts names at 40 characters', () => {
    const long = { handle: 'h'.repeat(90), name: 'Bob '.repeat(40), workspace: { name: 'W'.repeat(90) } }
    const names = renderWhom({ ...alice, ...long }).markup.match(/(?<=<bdi>)[^<]*(?=<)/g) ?? []
    expect(names.slice(1).map((name) => [...name].length)).toEqual([41, 40, 40])
  })

  it('ends with the same words, on the same line, whatever people call themselves', () => {
    const anything = fc.string({ unit: anyCharacter, maxLength: 60 })
    fc.assert(
      fc.property(anything, anything, anything, (handle, name, place) => {
        const { markup } = renderWhom({ ...alice, handle, name, workspace: { name: place } })
        expect(markup).toMatch(
          /^<p>This connects the Slack account <strong class="address"><bdi>alice@example\.com</,
        )
        expect(markup.endsWith(`<p>${warning.replaceAll("'", '&#39;')}</p>`)).toBe(true)
        expect(markup).not.toMatch(/\p{Bidi_Control}/u)
        expect(markup.split('\n')).toHaveLength(2)
        expect(markup.replaceAll(/<\/?(?:p|bdi|strong)(?: class="address")?>/g, '')).not.toMatch(/[<>]/)
      }),
    )
  })
})
