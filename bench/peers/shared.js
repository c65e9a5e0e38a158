// Parts that all peers share: their settings, whose token is whose, and the card and the history as Block Kit.

export const { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, SLACK_API_URL, MONITOR_API_URL } = process.env
export const port = Number(process.env.PORT ?? 0)

/** Of the service, by Slack user. */
const tokens = new Map(Object.entries(JSON.parse(process.env.MONITOR_TOKENS ?? '{}')))

function alertUrl(key) {
  return `${MONITOR_API_URL}/alert/${encodeURIComponent(key)}?actions=kind,timestamp,data`
}

/** With the global fetch, as the guides have it. */
export async function readAlert(key, userId) {
  const response = await fetch(alertUrl(key), {
    headers: { authorization: `Bearer ${tokens.get(userId)}` },
  })
  if (!response.ok) throw new Error(`the service answered ${response.status}`)
  return response.json()
}

const names = [
  'EMERGENCY',
  'ALERT',
  'CRITICAL',
  'ERROR',
  'WARNING',
  'NOTICE',
  'INFORMATIONAL',
  'DEBUG',
]
const marks = ['🚨', '🟣', '🔴', '🟠', '🟡', '🔵', '⚪', '⚫']

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** As Slack shows it to each reader in their own zone. */
function date(seconds) {
  const fallback = new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
  return `<!date^${seconds}^{date_short_pretty} {time}|${fallback} UTC>`
}

/** “2 hours ago”, as each reader's own Slack counts it. */
function ago(seconds) {
  return date(seconds).replace('{date_short_pretty} {time}', '{ago}')
}

const mrkdwn = (text) => ({ type: 'mrkdwn', text })
const plain = (text) => ({ type: 'plain_text', text, emoji: false })
const button = (id, text, value) => ({ type: 'button', action_id: id, text: plain(text), value })

/** “🔴 CRITICAL · opened 2 hours ago · last seen 3 minutes ago · assigned” */
function stateOf({ lastSeverity, timestamp, lastTimestamp, ownerId }) {
  return [
    `${marks[lastSeverity]} ${names[lastSeverity]}`,
    `opened ${ago(timestamp)}`,
    `last seen ${ago(lastTimestamp)}`,
    ownerId === null ? 'unassigned' : 'assigned',
  ].join(' · ')
}

/** The alert as a message. */
export function card(alert, askerName) {
  const { ks, lastMessage, lastSeverity } = alert
  const headline = {
    type: 'link',
    url: `https://monitoring.example.com/alert/${encodeURIComponent(ks)}`,
    text: lastMessage,
    style: { bold: true },
  }
  return {
    text: escaped(`${names[lastSeverity]}: ${lastMessage}. Key ${ks}.`),
    blocks: [
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [headline] }] },
      { type: 'section', text: mrkdwn(stateOf(alert)) },
      {
        type: 'actions',
        elements: [
          button('alert.refresh', 'Refresh', ks),
          button('alert.watch', 'Watch', ks),
          {
            type: 'overflow',
            action_id: 'alert.more',
            options: [
              { text: plain('Open in monitoring'), value: `open ${ks}` },
              { text: plain('Grant access'), value: `grant ${ks}` },
            ],
          },
        ],
      },
      {
        type: 'context',
        elements: [
          mrkdwn(`\`${ks}\` · asked by ${askerName} · ${date(Math.floor(Date.now() / 1000))}`),
        ],
      },
    ],
  }
}

function words({ kind, data }) {
  return data === null ? kind : `${kind}: ${Object.values(data).join(', ')}`
}

/** Its actions as a message. */
export function history({ actions }) {
  const lines = actions.map((action) => ({
    type: 'rich_text_section',
    elements: [
      {
        type: 'date',
        timestamp: action.timestamp,
        format: '{date_short_pretty} {time}',
        fallback: new Date(action.timestamp * 1000).toISOString(),
      },
      { type: 'text', text: `  ${words(action)}` },
    ],
  }))
  return {
    text: escaped(`History: ${actions.length} actions. Latest: ${words(actions.at(-1))}`),
    blocks: [
      { type: 'context', elements: [mrkdwn(`*History* · ${actions.length} actions`)] },
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_list', style: 'bullet', elements: lines }],
      },
    ],
  }
}
