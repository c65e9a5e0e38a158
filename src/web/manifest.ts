// The Slack app's manifest, filled in for one installation. Pure. Comments are kept: they are why each scope is there.

import { type Document, isMap, isScalar, isSeq, parse, parseDocument, Scalar } from 'yaml'
import type { Installed } from '../config/installed.ts'

/**
 * @param template - The text of manifest.yml.
 * @returns The manifest as YAML, ready to paste.
 */
export function fillManifest(template: string, { reach, unfurlDomain, onlyReads }: Installed): string {
  const manifest = parseDocument(template)
  manifest.commentBefore = introductions[reach.kind]
  manifest.setIn(['settings', 'socket_mode_enabled'], reach.kind === 'socket')
  if (reach.kind === 'http') setRequestUrls(manifest, `${reach.publicUrl}/slack/events`)
  if (unfurlDomain === undefined) leaveOutPreviews(manifest)
  else manifest.setIn(['features', 'unfurl_domains'], [unfurlDomain])
  if (onlyReads) leaveOutActs(manifest)
  return manifest.toString({ lineWidth: 120 })
}

/** The same as JSON, which has no comments. Some find that Slack reads it with less trouble. */
export function asJson(filled: string): string {
  return `${JSON.stringify(parse(filled), null, 2)}\n`
}

/** Without a domain, or switched off, links are nothing that Bellhop has to hear of. */
function leaveOutPreviews(manifest: Document): void {
  for (const [path, names] of previews) {
    const list = manifest.getIn(path)
    if (!isSeq(list)) continue
    list.items = list.items.filter((item) => !(isScalar(item) && names.includes(String(item.value))))
  }
}

const acting = 'Assign it, comment on it and close it from its card. '

/** Shortcuts that change alerts, and what is said of them. */
function leaveOutActs(manifest: Document): void {
  const description = ['display_information', 'long_description']
  manifest.setIn(description, String(manifest.getIn(description)).replace(acting, ''))
  const shortcuts = manifest.getIn(['features', 'shortcuts'])
  if (!isSeq(shortcuts)) return
  shortcuts.items = shortcuts.items.filter(
    (item) => !(isMap(item) && String(item.get('callback_id')).startsWith('act.')),
  )
}

const previews: readonly (readonly [path: readonly string[], names: readonly string[]])[] = [
  [
    ['oauth_config', 'scopes', 'bot'],
    ['links:read', 'links:write'],
  ],
  [['settings', 'event_subscriptions', 'bot_events'], ['link_shared']],
]

const introductions = {
  socket: ' Bellhop’s Slack app, for Socket Mode.',
  http: ' Bellhop’s Slack app, over HTTP.',
} satisfies Record<Installed['reach']['kind'], string>

/** Over HTTP, commands, buttons, what menus ask while somebody types, and events all come to one address. */
function setRequestUrls(manifest: Document, url: string): void {
  manifest.setIn(['settings', 'interactivity', 'request_url'], quoted(url))
  manifest.setIn(['settings', 'interactivity', 'message_menu_options_url'], quoted(url))
  manifest.setIn(['settings', 'event_subscriptions', 'request_url'], quoted(url))
  const commands = manifest.getIn(['features', 'slash_commands'])
  for (const command of isSeq(commands) ? commands.items : []) {
    if (isMap(command)) command.set('url', quoted(url))
  }
}

/** Slack's reader of YAML has trouble with a colon in plain text. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text)
  scalar.type = Scalar.QUOTE_DOUBLE
  return scalar
}
