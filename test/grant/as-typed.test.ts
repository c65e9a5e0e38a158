// Lines of `/grant` come back as they were typed, can be pasted back, and are read in any order that has one meaning.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

/** The line that Bellhop repeats, as somebody copies it. */
function repeated(plain: string): string {
  return /You typed:\s*(.*)$/m.exec(plain)?.[1] ?? `nothing repeated in: ${plain}`
}

describe('a /grant line with a mistake', () => {
  it.each([
    '/grant 34 dave@example.com viewer wizardry',
    '/grant 34 @dave viewer wizardry',
    '/grant 34 <dave@example.com> viewer & wizardry',
    '/grant 34 dave@example.com viewer #general https://monitor.example.com/a?b=1&c=2 wizardry',
    '/grant 34 o\'hara+ops@example.com "viewer" wizardry',
  ])('is repeated as it was typed, without Slack’s encodings: %s', async (line) => {
    const { alice, general, slack } = await openWorld()
    slack.addPerson({ name: 'dave', email: 'dave@example.com' })

    await alice.types(line, general)

    expect(repeated((await alice.sees('You typed:', general)).plain)).toBe(line)
  })
})
