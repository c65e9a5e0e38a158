// `npm run doctor -- --blocks`: asks Slack itself about every picture of the gallery, one after the other, and prints
// what it refuses, in its words.

import { classify } from '../../slack/client/refusals.ts'
import type { Patiently } from '../../slack/client/web-client.ts'
import type { Judge, Judged } from '../../slack/workspace/probe.ts'
import { whyOf } from './slack.ts'

export interface Picture {
  readonly name: string
  readonly judged: Judged
}

/** For the shell: whether Slack takes all, refuses something, or could not be asked about all. */
const endings = { taken: 0, refused: 1, notAsked: 2 } as const
type Ending = (typeof endings)[keyof typeof endings]

/**
 * @param room.judge - Undefined without a bot token.
 * @param room.pictures - Undefined where the gallery is not installed.
 */
export async function judgePictures(room: {
  readonly judge: Judge | undefined
  readonly pictures: () => Promise<readonly Picture[] | undefined>
  readonly patiently: Patiently
  /** Prints one line, whatever is in it. */
  readonly print: (line: string) => void
}): Promise<Ending> {
  const { judge, patiently, print } = room
  if (judge === undefined) {
    print(
      'This asks Slack, so it needs SLACK_BOT_TOKEN: the bot token (xoxb-…) of any workspace. It needs no scope.',
    )
    return endings.notAsked
  }
  const pictures = await room.pictures()
  if (pictures === undefined) {
    print(
      'The gallery is not installed here: the image leaves it out, and it needs the development packages. Run this in a checkout after npm ci.',
    )
    return endings.notAsked
  }
  print(`Asking Slack about ${pictures.length} messages, forms and Home tabs, one after the other.`)
  const asked = await askAll(pictures, judge, patiently)
  for (const { name, complaints } of asked.refused) {
    print('')
    print(`REFUSED  ${name}`)
    for (const said of complaints) print(`         ${said}`)
  }
  if (asked.stoppedBy !== undefined) {
    print('')
    print(`${whyStopped(asked.stoppedBy)} Slack was asked about ${asked.count} of ${pictures.length}.`)
    return asked.refused.length > 0 ? endings.refused : endings.notAsked
  }
  const taken = pictures.length - asked.refused.length
  print('')
  print(`Slack takes ${taken} of ${pictures.length}.`)
  return asked.refused.length > 0 ? endings.refused : endings.taken
}

interface Asked {
  readonly count: number
  readonly refused: readonly { readonly name: string; readonly complaints: readonly string[] }[]
  /** What ended it before all were asked about. */
  readonly stoppedBy?: unknown
}

async function askAll(pictures: readonly Picture[], judge: Judge, patiently: Patiently): Promise<Asked> {
  const refused: { name: string; complaints: readonly string[] }[] = []
  for (const [count, { name, judged }] of pictures.entries()) {
    try {
      const complaints = await patiently(() => judge.complaintsAbout(judged))
      if (complaints.length > 0) refused.push({ name, complaints })
    } catch (stoppedBy) {
      if (classify(stoppedBy).kind === 'defect') throw stoppedBy
      return { count, refused, stoppedBy }
    }
  }
  return { count: pictures.length, refused }
}

function whyStopped(error: unknown): string {
  if (classify(error).word === 'unknown_method') return 'This Slack does not offer blocks.validate.'
  return `Slack does not judge (${whyOf(error)}).`
}
