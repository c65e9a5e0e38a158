// The Home tab at its fullest, and what follows from what was seen of a token.
import { describe, expect, it } from 'vitest'
import { viewErrors } from '../../playground/slack/check/view.ts'
import type { Evidence } from '../../src/home/recent.ts'
import { accountBlocks, latelyBlocks, renderHome, requestBlocks } from '../../src/home/render.ts'
import { rightsIn } from '../../src/home/rights.ts'
import { renderWatches } from '../../src/watch/render.ts'

const at = 1_768_520_530_000
const long = '<!channel> & *bold* | `code` '.repeat(100)
const link = `https://example.slack.com/archives/C0ONCALL/p1768520530000000?thread_ts=1.2&cid=${'C'.repeat(20)}`
const webLink = `https://monitor.example.com/alert/${'%3C'.repeat(980)}`
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

describe('the Home tab', () => {
  it('fits what Slack takes, however much there is to show', () => {
    const home = renderHome({
      account: accountBlocks({
        since: at,
        ...rightsIn([
          { kind: 'not-read', at, ks: long },
          ...times(100, (index): Evidence => ({ kind: 'granted', at, containerId: index })),
        ]),
      }),
      watches: renderWatches(
        { severityNames: [], alertUrl: undefined },
        times(20, (index) => ({
          ...{ cardId: `c${index}`, ks: long, channelId: 'C0123456789' },
          ...{ until: at, shown: undefined, link },
        })),
      ).blocks,
      requests: requestBlocks(times(30, () => ({ words: long, link, until: at }))),
      lately: latelyBlocks([
        ...times(
          5,
          () => ({ kind: 'look-up', at, ks: long, title: long, posted: undefined, link, webLink }) as const,
        ),
        ...times(
          5,
          () =>
            ({
              kind: 'grant',
              at,
              containerId: 12,
              people: times(20, () => ({ email: long, end: 'uncertain' }) as const),
            }) as const,
        ),
      ]),
      takesLinks: true,
      asOf: at / 1000,
    })

    expect(viewErrors(home, 'home')).toEqual([])
    expect(home.blocks.length).toBeLessThanOrEqual(100)
    // Rich text shows what stands in it; nothing else may hold what would ping somebody.
    const interpreted = home.blocks.filter(({ type }) => type !== 'rich_text')
    expect(JSON.stringify(interpreted)).not.toContain('<!channel>')
  })

  it('has no word on requests where there are none, and a word where they could not be read', () => {
    const parts = { account: [], watches: [], lately: [], takesLinks: true, asOf: at / 1000 }
    expect(JSON.stringify(renderHome({ ...parts, requests: [] }))).not.toContain('Your open requests')
    expect(JSON.stringify(renderHome({ ...parts, requests: undefined }))).toMatch(
      /Your open requests.*could not be read just now/,
    )
  })
})

describe('what was seen of a token', () => {
  it('is the newest of each container', () => {
    const { seen } = rightsIn([
      { kind: 'not-granted', at: 5, containerId: 12 },
      { kind: 'granted', at: 4, containerId: 34 },
      { kind: 'granted', at: 3, containerId: 12 },
      { kind: 'read', at: 2 },
    ])
    expect(seen).toEqual([
      { at: 5, isAllowed: false, of: { kind: 'grant', containerId: 12 } },
      { at: 4, isAllowed: true, of: { kind: 'grant', containerId: 34 } },
      { at: 2, isAllowed: true, of: { kind: 'read' } },
    ])
  })

  it('is that it is no longer accepted, until something works with it again', () => {
    const refused = { kind: 'refused', at: 3 } as const
    expect(rightsIn([refused, { kind: 'read', at: 2 }]).refusedAt).toBe(3)
    expect(rightsIn([{ kind: 'read', at: 4 }, refused]).refusedAt).toBeUndefined()
    expect(rightsIn([]).refusedAt).toBeUndefined()
  })
})
