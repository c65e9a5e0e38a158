// The head of the token page: whose Slack account a link connects.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LinkOwner } from '../../src/account/token-page.ts'
import { renderWhom } from '../../src/web/render-connect.ts'
import { anyCharacter } from '../any-text.ts'

const alice: LinkOwner = { email: 'alice@example.com', handle: 'alice', workspace: 'Acme' }

/** The words, with a space where a line ends. */
function wordsOf(whom: Partial<LinkOwner>): string {
  const { markup } = renderWhom({ ...alice, ...whom })
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const warning =
  'If this isn’t you, close this page: whoever sent you the link would act with your token.'

describe('the head of the token page', () => {
  it('has the verified address first and strongest, then the handle', () => {
    expect(wordsOf({})).toBe(
      `This connects the Slack account alice@example.com (@alice) in the Slack workspace Acme. ${warning}`,
    )
    expect(renderWhom(alice).markup).toContain(
      '<strong class="address"><bdi>alice@example.com</bdi></strong>',
    )
  })

  it('says what it could not tell', () => {
    expect(wordsOf({ email: undefined })).toBe(
      `This connects the Slack account @alice in the Slack workspace Acme. Bellhop couldn’t find out its email address. Continue only if you opened this link yourself, from Bellhop’s message in Slack. ${warning}`,
    )
    expect(wordsOf({ email: undefined, handle: undefined, workspace: undefined })).toContain(
      'This connects the Slack account. Bellhop couldn’t find out its email address.',
    )
  })

  it('ends with the same words, on the same line, whatever people call themselves', () => {
    const anything = fc.string({ unit: anyCharacter, maxLength: 60 })
    fc.assert(
      fc.property(anything, anything, (handle, place) => {
        const { markup } = renderWhom({ ...alice, handle, workspace: place })
        expect(markup).toMatch(
          /^<p>This connects the Slack account <strong class="address"><bdi>alice@example\.com</,
        )
        expect(markup.endsWith(`<p>${warning.replaceAll("'", '&#39;')}</p>`)).toBe(true)
        expect(markup).not.toMatch(/\p{Bidi_Control}/u)
        expect(markup.split('\n')).toHaveLength(2)
        expect(markup.replaceAll(/<\/?(?:p|bdi|strong)(?: class="address")?>/g, '')).not.toMatch(
          /[<>]/,
        )
      }),
    )
  })
})
