// The head of the token page: whose Slack account a link connects, told by what its owner cannot choose.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Whom } from '../../src/account/token-page.ts'
import { renderWhom } from '../../src/web/render-connect.ts'

const workspace = { name: 'Acme', domain: 'acme.slack.com' }
const alice: Whom = { email: 'alice@example.com', handle: 'alice', name: 'Alice Archer', workspace }

/** The words, with a space where a line ends. */
function wordsOf(whom: Partial<Whom>): string {
  const words = renderWhom({ ...alice, ...whom }).markup.replaceAll(/<[^>]*>/g, '')
  return words
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** What is in the names' places, still with their isolates. */
function names(whom: Partial<Whom>): readonly string[] {
  return renderWhom({ ...alice, ...whom }).markup.match(/<bdi>[^<]*<\/bdi>/g) ?? []
}

const warning = 'If this isn’t you, close this page: whoever sent you the link would act with your token.'

describe('the head of the token page', () => {
  it('has the address first and strongest, then the handle, then the name', () => {
    expect(wordsOf({})).toBe(
      `This connects the Slack account alice@example.com (@alice, “Alice Archer”) in the Slack workspace Acme (acme.slack.com). ${warning}`,
    )
    expect(renderWhom(alice).markup).toContain(
      '<strong class="address"><bdi>alice@example.com</bdi></strong>',
    )
    expect(renderWhom(alice).markup).not.toContain('<strong><bdi>\u2068Alice')
  })

  it('says what it could not tell', () => {
    expect(wordsOf({ email: undefined })).toBe(
      `This connects the Slack account @alice (“Alice Archer”) in the Slack workspace Acme (acme.slack.com). Bellhop couldn’t find out its email address. Continue only if you opened this link yourself, from Bellhop’s message in Slack. ${warning}`,
    )
    expect(wordsOf({ email: undefined, handle: undefined })).toContain(
      'This connects the Slack account of “Alice Archer” in the Slack workspace Acme',
    )
    expect(wordsOf({ handle: undefined, name: undefined, workspace: {} })).toBe(
      `This connects the Slack account alice@example.com. ${warning}`,
    )
    expect(wordsOf({ email: undefined, handle: undefined, name: undefined, workspace: {} })).toContain(
      'This connects a Slack account. Bellhop couldn’t find out its email address.',
    )
    expect(wordsOf({ name: 'alice', workspace: { name: 'Acme' } })).toContain(
      'alice@example.com (@alice) in the Slack workspace Acme. If this',
    )
    expect(wordsOf({ workspace: { domain: 'acme.slack.com' } })).toContain(
      'in the Slack workspace acme.slack.com. If this',
    )
  })

  it('cuts names at 40 characters, and keeps each to itself', () => {
    const [, handle = '', name = '', place = ''] = names({
      handle: 'h'.repeat(90),
      name: '🙂𝐁ob '.repeat(40),
      workspace: { name: 'W'.repeat(90), domain: 'acme.slack.com' },
    })
    expect(handle).toBe(`<bdi>\u2068@${'h'.repeat(39)}…\u2069</bdi>`)
    expect([...name]).toHaveLength('<bdi></bdi>'.length + 42)
    expect(name).toMatch(/^<bdi>\u2068Bob Bob .*…\u2069<\/bdi>$/)
    expect(place).toBe(`<bdi>\u2068${'W'.repeat(39)}…\u2069</bdi>`)
  })

  it.each([
    ['another address', 'alice@example.com'],
    ['another address in wide signs', 'alice＠example．com'],
    ['another workspace', 'Acme (acme.slack.com). This is yours'],
    ['the end of the sentence', '”) in the Slack workspace Acme (acme.slack.com). “'],
    ['markup', '"><img src=x onerror=alert(1)>&'],
    ['text that turns around', '\u202egro.elpmaxe@ecila\u2066\u2067\u061c'],
    ['what cannot be seen', 'Ali\u200b\u00ad\u2063ce\u3164\u0000\n\n'],
    ['a pile of marks', `Z${'\u0333'.repeat(300)}`],
  ])('does not let a name look like %s', (_, text) => {
    const whom = { handle: text, name: `x${text}`, workspace: { name: text, domain: 'evil.slack.com' } }
    const chosen = names(whom).slice(1, -1)
    expect(chosen).toHaveLength(2)
    for (const shown of chosen) {
      const inside = shown.slice('<bdi>\u2068'.length, -'\u2069</bdi>'.length)
      expect(inside).not.toMatch(
        /[@<>()"“”:/\\\u2066-\u2069]|[\p{C}\p{Default_Ignorable_Code_Point}]|\p{M}{3}/u,
      )
      expect(inside).not.toMatch(/\w\.\w+\.\w.*\s|slack\.com/)
    }
    expect(wordsOf(whom)).toContain('(evil.slack.com).')
  })

  it.each([
    ['аlice@example.com', '[U+0430]lice@example.com'],
    ['alice@exаmple.com', 'alice@ex[U+0430]mple.com'],
    ['al\u200bice\u202e@example.com', 'al[U+200B]ice[U+202E]@example.com'],
    ['a<b>"(c)@example.com', 'a[U+003C]b[U+003E][U+0022][U+0028]c[U+0029]@example.com'],
  ])('spells out what looks like another letter in an address: %s', (email, shown) => {
    expect(wordsOf({ email })).toContain(`the Slack account ${shown} (@alice`)
  })

  it.each(['', 'alice', 'a@b@c', `${'a'.repeat(300)}@example.com`, 'a b@example.com'])(
    'takes no other text for an address: %j',
    (email) => {
      expect(wordsOf({ email })).toContain('Bellhop couldn’t find out its email address')
    },
  )

  it('ends with the same words in the same order, whatever people call themselves', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(anything, anything, anything, (handle, name, place) => {
        const words = wordsOf({ handle, name, workspace: { name: place, domain: 'evil.slack.com' } })
        expect(words.startsWith('This connects the Slack account alice@example.com')).toBe(true)
        expect(
          words.endsWith(`evil.slack.com). ${warning}`) || words.endsWith(`evil.slack.com. ${warning}`),
        ).toBe(true)
        expect(words.match(/@/g)?.length).toBeLessThanOrEqual(2)
      }),
    )
  })
})
