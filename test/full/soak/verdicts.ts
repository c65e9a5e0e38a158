// Verdicts about grants, read out of what the bot says: by the sentence alone, which is complete.

/** Addresses of a soak look like this, and no others. */
const email = String.raw`g\d+@soak\.example`

const kinds = ['Granted', 'Not granted', 'Not certain', 'Not sent'] as const

export interface Verdict {
  readonly email: string
  readonly verdict: (typeof kinds)[number]
  /** By a colleague. */
  readonly isApproved: boolean
}

/** “✅ Granted: g1@… is now …”; of what was not granted or sent, the headline says why, and the next line who. */
const alone = new RegExp(String.raw`^\S+ (${kinds.join('|')}): [^]*?(${email})`)
/** “1 of 3 granted: Viewer on …”, with a line for each person below. */
const ofSeveral = /^\d+ of \d+ granted: /
/** “⛔ g1@…: already on it”. */
const line = new RegExp(String.raw`^(\S+) (${email})(?:: (.*))?$`, 'gm')
const signs: Readonly<Record<string, Verdict['verdict']>> = {
  '✅': 'Granted',
  '⛔': 'Not granted',
  '⏳': 'Not granted',
  '❓': 'Not certain',
  '➖': 'Not sent',
}

const approved: Readonly<Record<Exclude<Verdict['verdict'], 'Not sent'>, string>> = {
  Granted: 'Granted by [^:\n]*',
  'Not granted': 'Approved by [^:\n]*, but monitoring refused it',
  'Not certain': 'Approved by [^:\n]*, but it’s not certain whether it was granted',
}

/** @param text - Of a message. */
export function verdictsIn(text: string): readonly Verdict[] {
  const found = alone.exec(text)
  const kind = kinds.find((one) => one === found?.[1])
  const only: readonly Verdict[] =
    kind === undefined ? [] : [{ email: found?.[2] ?? '', verdict: kind, isApproved: false }]
  const lines = ofSeveral.test(text) ? [...text.matchAll(line)] : []
  const several = lines.flatMap(([, sign = '', one = '']): readonly Verdict[] => {
    const verdict = signs[sign]
    return verdict === undefined ? [] : [{ email: one, verdict, isApproved: false }]
  })
  const byColleague = kinds.flatMap((verdict) =>
    verdict === 'Not sent'
      ? []
      : // To the asker in lines of their own, to the colleague in one.
        [...text.matchAll(new RegExp(`^\\S+ ${approved[verdict]}(?:: |\n).*? for (${email})`, 'g'))].map(
          ([, one = '']): Verdict => ({ email: one, verdict, isApproved: true }),
        ),
  )
  return [...only, ...several, ...byColleague]
}
