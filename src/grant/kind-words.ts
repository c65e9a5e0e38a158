// Sentences about a whole access, a row for each kind of write: as a line, as a question, and once it is done. Pure; raw
// text. Words that don’t depend on an access are in send/access-kinds.ts.

import type { AccessKind } from '../send/access-kinds.ts'
import { extrasOf } from '../send/outcome.ts'
import type { Whom } from '../send/whom.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { durationWords } from '../work/durations.ts'
import { type Access, nameInFull } from './access.ts'
import { accessName, changeName, changeWords, flagsAfter, isRole, whatEnds } from './access-name.ts'
import type { Roles } from './roles.ts'

interface Said {
  readonly roles: Roles
  /** “Customer 1 (12)”, or “container 12”. */
  readonly where: string
  /** Names of all whom the access is about, or the name of one person. */
  readonly whom: string
  /** True if the people are named elsewhere in the message, so that the line need not name them. */
  readonly isBrief?: boolean
}

export interface Question {
  readonly headline: string
  readonly lines: readonly string[]
  readonly label: string
  readonly style?: 'danger'
}

interface KindWords {
  /** “Responder on Customer 1 (12) for dave@example.com · member”. */
  line(access: Access, said: Said): string
  /** “dave@example.com is now Responder on Customer 1 (12) · member”; follows “✅ Granted:”. */
  done(access: Access, said: Said, result: Whom): string
  /** Default: “Grant this access?”. */
  question?(access: Access, said: Said): Question
}

const joined = (...words: readonly string[]) => words.join(' · ')

const forThem = ({ whom, isBrief = false }: Said) => (isBrief ? '' : ` for ${whom}`)

/** “dave@example.com is now Viewer on Customer 1 (12)”. */
function nowWith(flags: readonly string[], { roles, where, whom }: Said): string {
  const is = flags.length === 0 || isRole(flags, roles) ? 'is now' : 'now has'
  return `${whom} ${is} ${accessName(flags, roles)} on ${where}`
}

/** The access that each person has before a removal, a line each: “Dave Doe (dave@example.com) · Viewer”. */
export function hadWords(people: readonly Whom[], roles: Roles): readonly string[] {
  const has = ({ there }: Whom) => accessName(there?.permissions ?? [], roles)
  return people.map((one) => `${nameInFull(one)} · ${cut(has(one), 100)}`)
}

export const kindWords: Readonly<Record<AccessKind, KindWords>> = {
  'add-user': {
    line: (access, said) => {
      const name = `${changeName(access, said.roles)} on ${said.where}${forThem(said)}`
      return joined(name, ...extrasOf(access))
    },
    done: (access, said) => joined(nowWith(access.permissions, said), ...extrasOf(access)),
  },

  change: {
    line: (access, said) => `${changeName(access, said.roles)} on ${said.where}${forThem(said)}`,
    done: (access, said, { there }) => {
      const { permissions, takes = [], member } = access
      const { where, whom } = said
      if (permissions.length + takes.length === 0)
        return `${whom} is ${member ? 'now' : 'no longer'} a member of ${where}`
      if (there === undefined) return joined(`${whom} on ${where}`, ...changeWords(access))

      return nowWith(flagsAfter(access, there), said)
    },
    question: (access, { roles, where, whom }) => ({
      headline: `Change ${whom} on ${where}?`,
      lines: [changeName(access, roles)],
      label: 'Change access',
    }),
  },

  remove: {
    line: (_, { where, whom, isBrief = false }) =>
      isBrief ? where : `Remove ${whom} from ${where}`,
    done: (_, { where, whom }) => `${whom} is no longer on ${where}`,
    question: ({ people }, { roles, where, whom }) => {
      const has = accessName(people[0]?.there?.permissions ?? [], roles)
      return {
        headline: `Remove ${whom} from ${where}?`,
        lines: people.length === 1 ? [`They have ${has} there.`] : hadWords(people, roles),
        label: 'Remove access',
        style: 'danger',
      }
    },
  },

  invite: {
    line: (access, { roles, where, whom }) =>
      joined(`Invite ${whom} to ${where} as ${changeName(access, roles)}`, ...extrasOf(access)),
    done: (access, { roles, where, whom }) =>
      joined(
        `${whom} to ${where}, as ${accessName(access.permissions, roles)}`,
        ...extrasOf(access),
      ),
    question: (access, { roles, where, whom }) => {
      const to = access.people.map(({ email }) => email).join(', ')
      return {
        headline: `Invite ${whom} to ${where}?`,
        lines: [
          `Monitoring sends an email to ${to}.`,
          joined(`As ${changeName(access, roles)}`, ...extrasOf(access)),
        ],
        label: 'Invite by email',
      }
    },
  },

  uninvite: {
    line: (_, { where, whom }) => `Withdraw the invitation of ${whom} to ${where}`,
    done: (_, { where, whom }) => `the invitation of ${whom} to ${where}`,
  },

  'take-back': {
    line: ({ takes = [], member }, said) => {
      const ends = whatEnds({ flags: takes, member: member === false }, said.roles)
      return `${ends} on ${said.where}${forThem(said)}`
    },
    done: ({ permissions }, said) => nowWith(permissions, said),
  },

  extend: {
    line: ({ moreMs = 0, permissions }, said) => {
      const more = `${durationWords(moreMs)} more of ${accessName(permissions, said.roles)}`
      return `${more} on ${said.where}${forThem(said)}`
    },
    done: ({ permissions }, { roles, where, whom }) =>
      `${whom} keeps ${accessName(permissions, roles)} on ${where}`,
  },
}
