// Report of `npm run rotate-keys`, for the operator's terminal.
import type { Need, OlderKey } from './needs.ts'
import type { Purpose, Rotated } from './rotate.ts'

export const names: Readonly<Record<Purpose, string>> = {
  token: 'tokens of people',
  waiting: 'commands that wait for an account',
  installation: 'bot tokens of installations',
  'connect-link': 'links to the page where tokens are given',
  'connect-prompt': 'places of such links in Slack',
}

/** One line for each kind of what is sealed, then what stands in the way, then one for each older key. */
export function reportOf(
  keyId: string,
  rotated: readonly Rotated[],
  older: readonly OlderKey[],
): readonly string[] {
  const left = rotated.reduce((sum, one) => sum + one.left, 0)
  return [
    ...rotated.map(
      ({ purpose, anew, all }) => `${names[purpose]}: ${anew} sealed anew with ${keyId}, of ${all}`,
    ),
    ...(left === 0 ? [] : [stillSealing]),
    ...older.flatMap(aboutKey),
  ]
}

const stillSealing =
  'Some were sealed with an older key meanwhile: a Bellhop runs that was started with other ENCRYPTION_KEYS. Start it again, then run this again.'

function aboutKey({ id, isInSettings, needs }: OlderKey): readonly string[] {
  if (needs.length === 0)
    return [`${id}: not needed any more. Take it out of ENCRYPTION_KEYS and start Bellhop again.`]
  const head = isInSettings ? `${id}: leave it in ENCRYPTION_KEYS.` : `${id}: it is not in ENCRYPTION_KEYS.`
  return [head, ...needs.map((need) => `  ${sentences[need.what](need, isInSettings)}`)]
}

const sentences: Readonly<Record<Need['what'], (need: Need, isInSettings: boolean) => string>> = {
  sealed: ({ count }, isInSettings) =>
    isInSettings
      ? `It does not open ${count} of what names it: changed or damaged. Their owners have to connect again.`
      : `It sealed ${count} that no other key opens. Put it back and run this again, or their owners connect again.`,
  'audit-records': ({ count, until }) =>
    until === undefined
      ? `It verifies ${count} audit records, for as long as they are kept (AUDIT_DAYS is 0).`
      : `It verifies ${count} audit records; the newest of them is forgotten on ${day(until)} (AUDIT_DAYS).`,
  'audit-checkpoint': () =>
    'It sealed the checkpoint of the audit trail. A running Bellhop seals that anew within an hour, while it has this key.',
  requests: ({ count, until }) =>
    `It tells who may not approve ${count} open requests, until ${until === undefined ? 'they end' : day(until)} at the latest.`,
  'past-tokens': ({ count, until }, isInSettings) =>
    `It recognizes ${count} tokens that people gave up, until ${until === undefined ? 'they are forgotten' : day(until)} at the latest. ${isInSettings ? 'Without it' : 'Until then'}, nobody can approve requests by or for those people.`,
}

/** The day after, so that it is over wherever the reader is. */
function day(ms: number): string {
  return new Date(ms + 24 * 60 * 60_000).toISOString().slice(0, 10)
}
