// The table of `/grant`’s words: parsing, help and “did you mean” read it, and tests hold the documents against it. Pure.
import { nearestTo } from '../../slack/text/typed.ts'
import type { GrantSettings } from '../roles.ts'

interface GrantWord {
  /** Other words for the command. A line with one of them is shown to its writer before anything is sent. */
  readonly synonyms: readonly string[]
  /** Lines of the help. */
  readonly help: (settings: GrantSettings) => readonly string[]
  /** True if the command works even where the service can only add people. */
  readonly isBasic?: true
}

const exampleRole = ({ roles }: GrantSettings) => Object.keys(roles)[0] ?? 'READ'

/** Commands, in the order of the help. */
export const grantCommands = [
  'grant',
  'roles',
  'who',
  'change',
  'remove',
  'invite',
  'due',
  'help',
] as const
export type GrantCommand = (typeof grantCommands)[number]

export const grantWords: Readonly<Record<GrantCommand, GrantWord>> = {
  grant: {
    synonyms: ['give', 'add', 'allow'],
    isBasic: true,
    help: (settings) => [
      `\`/grant <container> <email or @person> <flags or roles>\` gives somebody access. The order doesn’t matter. Example: \`/grant 12 dave@example.com ${exampleRole(settings)}\`.`,
      'You can name up to 20 people: separate them with commas, or put one on each line of the form.',
      `Alerts can be assigned to members. A role or flags for handling alerts make them one; for others, add \`member\`. If the address exists more than once, add \`via <provider>\`.`,
      '`/grant` opens a form that explains every flag. A line without flags opens it filled in.',
    ],
  },
  roles: {
    synonyms: [],
    isBasic: true,
    help: () => [
      '`/grant roles` lists the roles. The person must already have an account in monitoring. If they are on the container already, I show what would be added.',
    ],
  },
  who: {
    synonyms: ['list', 'show', 'members', 'people', 'users', 'who’s', "who's"],
    help: () => [
      '`/grant who <container>` lists who is on it; add a person, a flag or a role for fewer.',
    ],
  },
  change: {
    synonyms: ['set', 'update', 'edit', 'make'],
    help: (settings) => [
      `\`/grant change <container> <person> <role>\` makes them that and nothing else; \`+FLAG,-FLAG\` gives and takes single flags, \`member\` and \`not-member\` say whether alerts can be assigned to them. I show what would change before I send it. Example: \`/grant change 12 dave@example.com ${exampleRole(settings)}\`.`,
    ],
  },
  remove: {
    synonyms: ['revoke', 'delete', 'kick', 'take', 'drop'],
    help: () => ['`/grant remove <container> <person>` takes all their access away. I ask first.'],
  },
  invite: {
    synonyms: [],
    help: () => [
      '`/grant invite <container> <email> <flags or roles>` invites somebody without an account in monitoring. I ask first.',
    ],
  },
  due: {
    synonyms: ['ends', 'pending', 'expiring', 'expires', 'ending', 'extend', 'end'],
    help: () => [
      'Add `for 4h` or `until 18:00` to a grant, and it ends by itself. `for 2 weeks`, `until friday` and `until 24.12. 18h` work too: I show you the time before I send it.',
      '`/grant due` lists the access that ends by itself, to make it last longer or end now; add a person or a container for fewer.',
    ],
  },
  help: {
    synonyms: ['?', '--help', '-h'],
    isBasic: true,
    help: () => [
      'You can type it your way, as in `/grant give dave@example.com viewer on 12`. Unless it’s in one of the forms above, I ask before I send it.',
    ],
  },
}

export function helpLines(settings: GrantSettings): readonly string[] {
  return Object.values(grantWords)
    .filter(({ isBasic }) => settings.hasAllOperations || isBasic)
    .flatMap(({ help }) => help(settings))
}

/** The command that has this word as its name or synonym, in capitals or not. */
export function commandSaid(text: string): GrantCommand | undefined {
  const word = text.toLowerCase()
  return grantCommands.find((one) => one === word || grantWords[one].synonyms.includes(word))
}

/** The command whose name is nearest to a mistyped word; undefined for one or two letters, which are near to many names. */
export function commandNear(word: string): GrantCommand | undefined {
  if (word.length < 3 || fillers.has(word.toLowerCase())) return undefined

  const [near] = nearestTo(word, grantCommands)

  return grantCommands.find((one) => one === near)
}

/** Words that are skipped, as a line means the same without them. Some count behind `change`: see `signSaid`. */
export const fillers: ReadonlySet<string> = new Set(
  'to from on in of for the has have access please and with as a an is are at by also container somebody someone can back away role flag flags &'.split(
    ' ',
  ),
)

const givingWords = 'add give plus with +'.split(' ')
const takingWords = 'without minus remove revoke take no not -'.split(' ')

/** `+` for a word behind `change` that gives the flags that follow it, `-` for one that takes them; undefined for others. */
export function signSaid(word: string): '+' | '-' | undefined {
  if (givingWords.includes(word)) return '+'
  return takingWords.includes(word) ? '-' : undefined
}
