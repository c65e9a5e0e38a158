// The Slack app's manifest, filled in for one installation. Pure. Comments are kept: they are why each scope is there.
import { type Document, isMap, isSeq, parseDocument } from 'yaml'
import type { Installed } from '../config.ts'

/**
 * @param template - The text of manifest.yml.
 * @returns The manifest as YAML, ready to paste.
 */
export function fillManifest(template: string, { reach, unfurlDomain }: Installed): string {
  const manifest = parseDocument(template)
  manifest.commentBefore = introductions[reach.kind]
  manifest.setIn(['settings', 'socket_mode_enabled'], reach.kind === 'socket')
  if (reach.kind === 'http') setRequestUrls(manifest, `${reach.publicUrl}/slack/events`)
  if (unfurlDomain !== undefined) manifest.setIn(['features', 'unfurl_domains'], [unfurlDomain])
  return manifest.toString({ lineWidth: 120 })
}

const introductions = {
  socket: ' Bellhop’s Slack app, for Socket Mode.',
  http: ' Bellhop’s Slack app, over HTTP.',
} satisfies Record<Installed['reach']['kind'], string>

/** Over HTTP, commands, buttons and events all come to one address. */
function setRequestUrls(manifest: Document, url: string): void {
  manifest.setIn(['settings', 'interactivity', 'request_url'], url)
  manifest.setIn(['settings', 'event_subscriptions', 'request_url'], url)
  const commands = manifest.getIn(['features', 'slash_commands'])
  for (const command of isSeq(commands) ? commands.items : []) {
    if (isMap(command)) command.set('url', url)
  }
}
