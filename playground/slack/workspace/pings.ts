// People whom a message would notify. Written so that a test can say: nobody.
import { tokensOf } from '../check/mrkdwn.ts'
import { isRecord, type Json } from '../model/json.ts'

/**
 * @param names - Names of people, for plain `@name` in text that is not verbatim.
 * @param parsesText - True when `link_names` or `parse: full` asked Slack to read the top-level text that way.
 * @returns The words that notify, once each: `<!channel>`, `<@U…>`, `@here`, `<!subteam^S…>`.
 */
export function pingsOf(
  text: string,
  blocks: readonly Json[],
  names: readonly string[],
  parsesText = false,
): string[] {
  const found = new Set<string>(tokenPings(text))
  if (parsesText) for (const ping of plainPings(text, names)) found.add(ping)
  for (const ping of walk(blocks, names)) found.add(ping)
  return [...found]
}

function* walk(node: unknown, names: readonly string[]): Iterable<string> {
  if (Array.isArray(node)) {
    for (const item of node) yield* walk(item, names)
    return
  }
  if (!isRecord(node)) return
  const { type, text } = node
  if (type === 'mrkdwn' && typeof text === 'string') {
    yield* tokenPings(text)
    if (node.verbatim !== true) yield* plainPings(text, names)
  } else if (type === 'user' && typeof node.user_id === 'string') yield `<@${node.user_id}>`
  else if (type === 'usergroup' && typeof node.usergroup_id === 'string') {
    yield `<!subteam^${node.usergroup_id}>`
  } else if (type === 'broadcast' && typeof node.range === 'string') yield `<!${node.range}>`
  // A confirmation is read after a press, so it notifies nobody.
  for (const [key, value] of Object.entries(node)) if (key !== 'confirm') yield* walk(value, names)
}

function tokenPings(text: string): string[] {
  return tokensOf(text)
    .filter(
      ({ kind, target }) =>
        kind === 'user' || (kind === 'special' && /^!(channel|here|everyone|sub)/.test(target)),
    )
    .map(({ target }) => `<${target}>`)
}

function plainPings(text: string, names: readonly string[]): string[] {
  const words = new Set(['channel', 'here', 'everyone', ...names.map((name) => name.toLowerCase())])
  return [...text.matchAll(/(?<![\w@.])@([\w.-]*\w)/g)]
    .map(([, name = '']) => name)
    .filter((name) => words.has(name.toLowerCase()))
    .map((name) => `@${name}`)
}
