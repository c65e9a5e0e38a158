// Kinds of writes about people of a container, a row each: facts and words that are the same for every write of a kind.
// Sentences about a whole access are rows of grant/kind-words.ts.

interface AccessKindRow {
  /** Word for such a write that is done: “granted”. */
  readonly deed: string
  /** Word in the middle of “dave@example.com may or may not be on container 12”. */
  readonly perhapsDone: string
  /** Guesses at the meaning of a 400, said before “your token lacks one of these flags”. */
  readonly perhaps: string
  /** True if such a write gives flags: its sender needs all of these too. */
  readonly gives: boolean
  /** The list of the service in which the result of such a write shows. */
  readonly shownIn: 'people' | 'invites'
  /** True if the service is asked to change or remove somebody who is on the container already. */
  readonly isOfListed: boolean
  /** Words in the audit channel: `did`, before the person; then `before`, in front of the container. */
  readonly audit: { readonly did: string; readonly before: string }
}

/**
 * `add-user` gives access to people whom the service knows. `uninvite` withdraws an invitation. `take-back` takes away what
 * was given for a time; `extend` makes such access last longer, and sends the service nothing.
 */
export const accessKinds = {
  'add-user': {
    deed: 'granted',
    perhapsDone: 'on',
    perhaps: 'They may already be on it, the address may be unknown or be there twice, or ',
    gives: true,
    shownIn: 'people',
    isOfListed: false,
    audit: { did: 'added', before: 'to' },
  },
  change: {
    deed: 'changed',
    perhapsDone: 'changed on',
    perhaps: 'Perhaps ',
    gives: true,
    shownIn: 'people',
    isOfListed: true,
    audit: { did: 'changed', before: 'on' },
  },
  remove: {
    deed: 'removed',
    perhapsDone: 'on',
    perhaps: 'Perhaps ',
    gives: false,
    shownIn: 'people',
    isOfListed: true,
    audit: { did: 'removed', before: 'from' },
  },
  invite: {
    deed: 'invited',
    perhapsDone: 'invited to',
    perhaps: 'Somebody with this address may have an account already, or ',
    gives: true,
    shownIn: 'invites',
    isOfListed: false,
    audit: { did: 'invited', before: 'to' },
  },
  uninvite: {
    deed: 'withdrawn',
    perhapsDone: 'invited to',
    perhaps: 'Perhaps ',
    gives: false,
    shownIn: 'invites',
    isOfListed: false,
    audit: { did: 'withdrew the invitation of', before: 'to' },
  },
  'take-back': {
    deed: 'ended',
    perhapsDone: 'on',
    perhaps: 'Perhaps ',
    gives: false,
    shownIn: 'people',
    isOfListed: true,
    audit: { did: 'ended the access of', before: 'to' },
  },
  extend: {
    deed: 'extended',
    perhapsDone: 'on',
    perhaps: 'Perhaps ',
    gives: true,
    shownIn: 'people',
    isOfListed: false,
    audit: { did: 'extended the access of', before: 'to' },
  },
} as const satisfies Readonly<Record<string, AccessKindRow>>

export type AccessKind = keyof typeof accessKinds

function isAccessKind(name: string): name is AccessKind {
  return Object.hasOwn(accessKinds, name)
}

/** Name of a kind in the audit trail. */
export type AccessAct = 'grant' | Exclude<AccessKind, 'add-user'>

export function actOf(kind: AccessKind): AccessAct {
  return kind === 'add-user' ? 'grant' : kind
}

export function kindOfAct(act: string): AccessKind | undefined {
  if (act === 'grant') return 'add-user'
  return isAccessKind(act) ? act : undefined
}
