// Report of `npm run rotate-keys`, for the operator's terminal.
import type { Need, OlderKey } from './needs.ts'
import type { Purpose, Rotated } from './rotate.ts'

export const names: Readonly<Record<Purpose, string>> = {
  token: 'people’s tokens',
  waiting: 'commands that wait for an account',
  installation: 'bot tokens of workspaces',
  'connect-link': 'links to the token page',
  'connect-prompt': 'messages with such links',
  'container-name': 'names of containers',
  'people-names': 'names of containers’ people',
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
      ({ purpose, anew, all }) => `${names[purpose]}: ${anew} of ${all} encrypted again with ${keyId}`,
    ),
    ...(left === 0 ? [] : [stillSealing]),
    ...older.flatMap(aboutKey),
  ]
}

const stillSealing =
  'In the meantime, another Bellhop with other ENCRYPTION_KEYS encrypted some with an older key. Restart that Bellhop with these keys, then run this again.'

function aboutKey({ id, isInSettings, needs }: OlderKey): readonly string[] {
  if (needs.length === 0)
    return [`${id}: no longer needed. Remove it from ENCRYPTION_KEYS and restart Bellhop.`]
  const head = isInSettings ? `${id}: leave it in ENCRYPTION_KEYS.` : `${id}: not in ENCRYPTION_KEYS.`
  return [head, ...needs.map((need) => `  ${sentences[need.what](need, isInSettings)}`)]
}

const sentences: Readonly<Record<Need['what'], (need: Need, isInSettings: boolean) => string>> = {
  sealed: ({ count }, isInSettings) =>
    isInSettings
      ? `${count} that name it can’t be decrypted with it: they were changed or damaged. Their owners have to connect again.`
      : `${count} can be decrypted only with it. Add it again at the end of ENCRYPTION_KEYS and run this again, or their owners have to connect again.`,
  'audit-records': ({ count, until }) =>
    until === undefined
      ? `It verifies ${count} audit records, which Bellhop keeps for good (AUDIT_DAYS is 0).`
      : `It verifies ${count} audit records. Bellhop deletes the newest of them on ${day(until)} (AUDIT_DAYS).`,
  'audit-checkpoint': () =>
    'It verifies the audit trail’s checkpoint. A running Bellhop that has this key writes a new one within an hour.',
  requests: ({ count, until }) =>
    `It identifies who may not approve ${count} open requests, until ${until === undefined ? 'they end' : day(until)} at the latest.`,
  'past-tokens': ({ count, until }, isInSettings) =>
    `It recognizes ${count} tokens that people gave up, until ${until === undefined ? 'Bellhop deletes them' : day(until)} at the latest. ${isInSettings ? 'Without it' : 'Until then'}, nobody can approve requests by or for those people.`,
}

/** The day after, so that it is over wherever the reader is. */
function day(ms: number): string {
  return new Date(ms + 24 * 60 * 60_000).toISOString().slice(0, 10)
}
