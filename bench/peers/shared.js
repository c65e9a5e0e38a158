// Parts that all peers share: their settings, whose token is whose, and the card and the history as Block Kit.

export const { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, SLACK_API_URL, MONITOR_API_URL } = process.env
export const port = Number(process.env.PORT ?? 0)

/** Of the service, by Slack user. */
export const tokens = new Map(Object.entries(JSON.parse(process.env.MONITOR_TOKENS ?? '{}')))

export const help = 'Type `/alert` and the key of an alert to see it here.'

export function alertUrl(key) {
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

const names = ['EMERGENCY', 'ALERT', 'CRITICAL', 'ERROR', 'WARNING', 'NOTICE', 'INFORMATIONAL', 'DEBUG']

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** As Slack shows it to each reader in their own zone. */
export function date(seconds) {
  const fallback = new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
  return `<!date^${seconds}^{date_short_pretty} {time}|${fallback} UTC>`
}

const mrkdwn = (text) => ({ type: 'mrkdwn', text })
const plain = (text) => ({ type: 'plain_text', text, emoji: false })
const button = (id, text, value) => ({ type: 'button', action_id: id, text: plain(text), value })

/** “Open · CRITICAL” */
export function stateOf({ closedTimestamp, lastSeverity }) {
  return `${closedTimestamp === null ? 'Open' : 'Closed'} · ${names[lastSeverity]}`
}

/** The alert as a message. */
export function card(alert, askerName) {
  const state = stateOf(alert)
  return {
    text: escaped(`${state}: ${alert.lastMessage}. Key ${alert.ks}.`),
    blocks: [
      { type: 'header', text: plain(state) },
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: alert.lastMessage }] }],
      },
      {
        type: 'section',
        fields: [
          mrkdwn(`*Opened*\n${date(alert.timestamp)}`),
          mrkdwn(`*Last hit*\n${date(alert.lastTimestamp)}`),
          mrkdwn(`*Owner*\n${alert.ownerId === null ? 'not assigned' : `user ${alert.ownerId}`}`),
        ],
      },
      {
        type: 'actions',
        elements: [
          button('alert.refresh', 'Refresh', alert.ks),
          button('alert.watch', 'Watch', alert.ks),
          {
            type: 'overflow',
            action_id: 'alert.more',
            options: [
              { text: plain('Open in monitoring'), value: `open ${alert.ks}` },
              { text: plain('Grant access'), value: `grant ${alert.ks}` },
            ],
          },
        ],
      },
      {
        type: 'context',
        elements: [
          plain(alert.ks),
          plain(`asked by ${askerName}`),
          mrkdwn(`as of ${date(Math.floor(Date.now() / 1000))}`),
        ],
      },
    ],
  }
}

export function words({ kind, data }) {
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
      { type: 'context', elements: [mrkdwn(`*History* · ${actions.length} actions, oldest on top`)] },
      { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements: lines }] },
    ],
  }
}
