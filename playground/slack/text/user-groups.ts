// The workspace's user groups: people and Bellhop can mention them, and nobody here reads who is in one.

/** Ids by name. */
export const userGroups: ReadonlyMap<string, string> = new Map([
  ['oncall', 'S0ONCALL'],
  ['leads', 'S0LEADS'],
])

/** “@oncall”; by its id where it is none of these. */
export function userGroupName(id: string): string {
  const [name = id] = [...userGroups].find(([, one]) => one === id) ?? []
  return `@${name}`
}
