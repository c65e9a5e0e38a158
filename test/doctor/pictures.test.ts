// `npm run doctor -- --blocks`, but for the process itself: what it asks, waits for and says.
import { describe, expect, it } from 'vitest'
import { ResponseUrlError, SlackBusyError } from '../../src/slack/client/refusals.ts'
import { createPatience } from '../../src/slack/client/web-client.ts'
import type { Judge } from '../../src/slack/workspace/probe.ts'
import { judgePictures, type Picture } from '../../src/terminal/doctor.ts'

type Answer = readonly string[] | Error

const picture = (name: string): Picture => ({ name, judged: { message: { blocks: [] } } })
const two = [picture('A card'), picture('A history')]

/** Asks about these pictures, of which Slack says this, one after the other. */
async function run(answers: readonly Answer[], pictures: readonly Picture[] | undefined = two) {
  const printed: string[] = []
  const waits: number[] = []
  const left = [...answers]
  let underWay = 0
  const judge: Judge = {
    async complaintsAbout() {
      underWay += 1
      expect(underWay).toBe(1)
      await Promise.resolve()
      underWay -= 1
      const answer = left.shift() ?? []
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const exitCode = await judgePictures({
    judge,
    pictures: async () => pictures,
    patiently: createPatience(async (ms) => void waits.push(ms)),
    print: (line) => printed.push(line),
  })
  return { exitCode, waits, printed: printed.join('\n') }
}

describe('npm run doctor -- --blocks', () => {
  it('says that Slack takes all', async () => {
    const { exitCode, printed } = await run([[], []])

    expect(printed).toContain('Asking Slack about 2 messages, forms and Home tabs')
    expect(printed).toContain('Slack takes 2 of 2.')
    expect(exitCode).toBe(0)
  })

  it('names what Slack refuses, in its words, and ends with 1', async () => {
    const { exitCode, printed } = await run([['invalid url [/blocks/0/elements/0/url]'], []])

    expect(printed).toContain('REFUSED  A card\n         invalid url [/blocks/0/elements/0/url]')
    expect(printed).not.toContain('A history')
    expect(printed).toContain('Slack takes 1 of 2.')
    expect(exitCode).toBe(1)
  })

  it('waits as long as Slack asks to, and goes on', async () => {
    const { exitCode, waits } = await run([new SlackBusyError(7), [], []])

    expect(waits).toEqual([7_000])
    expect(exitCode).toBe(0)
  })

  it.each([
    ['a Slack that does not judge', 'unknown_method', 'This Slack does not offer blocks.validate.'],
    ['a token that Slack refuses', 'invalid_auth', 'Slack does not judge (invalid_auth).'],
  ])('ends at %s', async (_name, word, sentence) => {
    const { exitCode, printed } = await run([[], new ResponseUrlError(word)])

    expect(printed).toContain(`${sentence} Slack was asked about 1 of 2.`)
    expect(exitCode).toBe(2)
  })

  it('says what it needs where the gallery is not installed', async () => {
    const printed: string[] = []
    const exitCode = await judgePictures({
      judge: { complaintsAbout: async () => [] },
      pictures: async () => undefined,
      patiently: (send) => send(),
      print: (line) => printed.push(line),
    })

    expect(printed).toEqual([expect.stringContaining('Run this in a checkout after npm ci.')])
    expect(exitCode).toBe(2)
  })
})
