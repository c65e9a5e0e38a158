// Tests of what a message speaks of, in all the shapes in which other tools and mails write.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mentionedIn } from '../../src/alert/keys-in-message.ts'
import { alertUrl, placeUrl } from '../world.ts'

const keys = (message: object) => mentionedIn(message, alertUrl).keys

it('a wrapped link without a key is the link inside, once', () => {
  const link = 'https://monitoring.example.com/container/12/asset/34/alert?alert=1700000000'
  const wrapped = `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(link)}&data=05`
  expect(mentionedIn({ text: `${link} ${wrapped}` }, placeUrl).links).toEqual([link])
})

describe('alerts in a message are found', () => {
  it.each<[string, object]>([
    ['as a link in its text', { text: 'See <https://monitor.example.com/alert/5HkX|the alert>.' }],
    [
      'as a bare link that a sentence ends with',
      { text: '(https://monitor.example.com/alert/5HkX).' },
    ],
    ['as a link with a query', { text: '<https://monitor.example.com/alert/5HkX?tab=1&amp;x=2>' }],
    [
      'in an attachment’s title',
      {
        attachments: [{ title: 'Disk full', title_link: 'https://monitor.example.com/alert/5HkX' }],
      },
    ],
    [
      'behind a button',
      {
        blocks: [
          {
            type: 'actions',
            elements: [{ type: 'button', url: 'https://monitor.example.com/alert/5HkX' }],
          },
        ],
      },
    ],
    [
      'in rich text',
      {
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [{ type: 'link', url: 'https://monitor.example.com/alert/5HkX' }],
              },
            ],
          },
        ],
      },
    ],
    [
      'in a mail',
      {
        files: [
          {
            mode: 'email',
            subject: 'Alert',
            plain_text: 'Open https://monitor.example.com/alert/5HkX\nBye',
          },
        ],
      },
    ],
  ])('%s', (_where, message) => {
    expect(keys(message)).toEqual(['5HkX'])
  })

  it('in their order, each once', () => {
    const text =
      'https://monitor.example.com/alert/b https://monitor.example.com/alert/a https://monitor.example.com/alert/b.'
    expect(keys({ text, attachments: [{ fallback: text }] })).toEqual(['b', 'a'])
  })
})

describe('the end of a key', () => {
  it.each([
    ['<https://monitor.example.com/alert/5HkX_>', '5HkX_'],
    ['<https://monitor.example.com/alert/5HkX~|this one>', '5HkX~'],
  ])('of %s is where it ends', (text, key) => {
    expect(keys({ text })).toEqual([key])
  })
})

describe('nothing is taken for an alert', () => {
  it.each<[string, object]>([
    ['in plain words', { text: 'The key: 5HkX, or `/alert 5HkX`' }],
    ['in links elsewhere', { text: '<https://example.com/alert/5HkX>' }],
    ['in a key that would change the path', { text: 'https://monitor.example.com/alert/..' }],
    [
      'in names that nobody reads',
      { user: 'U5HkX00', ts: '1700000000.000100', bot_id: 'B5HkX', app_id: 'A1' },
    ],
  ])('%s', (_where, message) => {
    expect(mentionedIn(message, alertUrl)).toMatchObject({ keys: [], links: [] })
  })
})

describe('whatever a message holds', () => {
  it('it is read to the end, and what is found can be looked up', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 6 }), fc.string(), (rest, text) => {
        for (const key of keys({ ...rest, text })) expect(key.trim()).not.toBe('')
      }),
    )
  })

  it('depth and number have an end', () => {
    let deep: object = { text: 'https://monitor.example.com/alert/deep' }
    for (let level = 0; level < 10_000; level += 1) deep = { blocks: [deep] }
    expect(keys(deep)).toEqual([])
    const many = Array.from(
      { length: 500 },
      (_, index) => `https://monitor.example.com/alert/k${index}`,
    ).join(' ')
    expect(keys({ text: many })).toHaveLength(50)
  })
})
