// Kinds of writes about people of a container, a row each: facts and words for which nothing else has to be known. Sentences
// about a whole access are rows of grant/kinds.ts.

interface AccessKindRow {
  /** Said of somebody where it is done: “granted”. */
  readonly deed: string
  /** Follows “may or may not be”, before the container. */
  readonly perhapsDone: string
  /** Meanings of a 400, before the flags that the token may lack. */
  readonly perhaps: string
  /** True where its sender gives flags, all of which they need. */
  readonly gives: boolean
  /** The list in which it shows. */
  readonly shownIn: 'people' | 'invites'
  /** True of somebody whom a list has to show before. */
  readonly isOfListed: boolean
  /** In the audit trail: the act; what was done, what was wanted, and the word before the container. */
  readonly audit: {
    readonly act: string
    readonly did: string
    readonly toDo: string
    readonly before: string
  }
}

/**
 * `add-user` is the contract’s, of people whom the service knows. `uninvite` withdraws an invitation. `take-back` takes
 * what was given for a time; `extend` makes it last longer, which the service isn’t asked for.
 */
export const accessKinds = {
  'add-user': {
    deed: 'granted',
    perhapsDone: 'on',
    perhaps: 'They may already be on it, the address may be unknown or be there twice, or ',
    gives: true,
    shownIn: 'people',
    isOfListed: false,
    audit: { act: 'grant', did: 'added', toDo: 'add', before: 'to' },
  },
  change: {
    deed: 'changed',
    perhapsDone: 'changed on',
    perhaps: 'Perhaps ',
    gives: true,
    shownIn: 'people',
    isOfListed: true,
    audit: { act: 'change', did: 'changed', toDo: 'change', before: 'on' },
  },
  remove: {
    deed: 'removed',
    perhapsDone: 'on',
    perhaps: 'Perhaps ',
    gives: false,
    shownIn: 'people',
    isOfListed: true,
    audit: { act: 'remove', did: 'removed', toDo: 'remove', before: 'from' },
  },
  invite: {
    deed: 'invited',
    perhapsDone: 'invited to',
    perhaps: 'Somebody with this address may have an account already, or ',
    gives: true,
    shownIn: 'invites',
    isOfListed: false,
    audit: { act: 'invite', did: 'invited', toDo: 'invite', before: 'to' },
  },
  uninvite: {
    deed: 'withdrawn',
    perhapsDone: 'invited to',
    perhaps: 'Perhaps ',
    gives: false,
    shownIn: 'invites',
    isOfListed: false,
    audit: {
      act: 'uninvite',
      did: 'withdrew the invitation of',
      toDo: 'withdraw the invitation of',
      before: 'to',
    },
  },
  'take-back': {
    deed: 'ended',
    perhapsDone: 'on',
    perhaps: 'Perhaps ',
    gives: false,
    shownIn: 'people',
    isOfListed: true,
    audit: {
      act: 'take-back',
      did: 'ended the access of',
      toDo: 'end the access of',
      before: 'to',
    },
  },
  extend: {
    deed: 'extended',
    perhapsDone: 'on',
    perhaps: 'Perhaps ',
    gives: true,
    shownIn: 'people',
    isOfListed: false,
    audit: {
      act: 'extend',
      did: 'extended the access of',
      toDo: 'extend the access of',
      before: 'to',
    },
  },
} as const satisfies Readonly<Record<string, AccessKindRow>>

export type AccessKind = keyof typeof accessKinds

const allKinds = Object.keys(accessKinds).filter(isAccessKind)

function isAccessKind(name: string): name is AccessKind {
  return Object.hasOwn(accessKinds, name)
}

/** The kind that the audit trail knows by this act. */
export function kindOfAct(act: string): AccessKind | undefined {
  return allKinds.find((kind) => accessKinds[kind].audit.act === act)
}

/** Acts of all kinds, in their order. */
export const accessActs = Object.values(accessKinds).map(({ audit }) => audit.act)
