// A post of another tool in the playground's channel before anybody comes: something for a message shortcut to find.
import type { WebhookPost } from './slack/deliver/other-apps.ts'

/** It speaks of an alert of the stand-in service, by link and by key. @param linkTo - The web link of an alert. */
export function seedPost(linkTo: (ks: string) => string): WebhookPost {
  const ks = 'disk-full'
  return {
    username: 'Disk checks',
    attachments: [
      {
        color: 'warning',
        fallback: `db-03: /var is filling up (${ks})`,
        title: 'db-03: /var is filling up',
        title_link: linkTo(ks),
        text: 'It has been growing since this morning.',
        fields: [
          { title: 'Key', value: ks, short: true },
          { title: 'Host', value: 'db-03', short: true },
        ],
      },
    ],
  }
}
