// Verdicts about grants and acts on alerts, read out of what the bot says: by the sentence alone, which is complete.

/** Addresses of a soak look like this, and no others. */
const email = String.raw`g\d+@soak\.example`

const kinds = ['Granted', 'Not granted', 'Not certain', 'Not sent'] as const

export interface Verdict {
  readonly email: string
  readonly verdict: (typeof kinds)[number]
  /** By a colleague. */
  readonly isApproved: boolean
}

const anyEmail = new RegExp(email, 'g')
/** “Granted: g1@… is now …”, “Not certain: g1@… may or may not …”; of several, “Not granted: g1@…, g2@….”. */
const list = String.raw`((?:${email}(?: \([^)]*\))?(?:, )?)+)`
/** One person’s refusal says why first. */
const refused = new RegExp(`Not granted: (?!${email}).*? The request was for (${email})`, 'g')
const approved: Readonly<Record<Exclude<Verdict['verdict'], 'Not sent'>, string>> = {
  Granted: 'Granted by [^:]*',
  'Not granted': 'Approved by [^:]*, but monitoring refused it',
  'Not certain': 'Approved by [^:]*, but it’s not certain whether it was granted',
}

/** @param text - Of a message. */
export function verdictsIn(text: string): readonly Verdict[] {
  const plain = kinds.flatMap((verdict) =>
    [...text.matchAll(new RegExp(`${verdict}: ${list}`, 'g'))]
      .flatMap(([, named = '']) => named.match(anyEmail) ?? [])
      .map((one): Verdict => ({ email: one, verdict, isApproved: false })),
  )
  const alone = [...text.matchAll(refused)].map(
    ([, one = '']): Verdict => ({ email: one, verdict: 'Not granted', isApproved: false }),
  )
  const byColleague = kinds.flatMap((verdict) =>
    verdict === 'Not sent'
      ? []
      : [...text.matchAll(new RegExp(`${approved[verdict]}\\. Request: .*?(${email})`, 'g'))].map(
          ([, one = '']): Verdict => ({ email: one, verdict, isApproved: true }),
        ),
  )
  return [...plain, ...alone, ...byColleague]
}

/** By the sign in front of it. */
const actSigns = { '✅': 'done', ℹ️: 'done', '❓': 'not certain', '⛔': 'not done', '⏳': 'not done' } as const
export type ActVerdict = (typeof actSigns)[keyof typeof actSigns] | 'not sent'

/** @param text - Of a message about one act. Undefined where it says that it takes longer. */
export function actVerdictIn(text: string): ActVerdict | undefined {
  if (text.includes('➖')) return 'not sent'
  return Object.entries(actSigns).find(([sign]) => text.includes(sign))?.[1]
}
