// Which addresses are Slack's own. What a payload names is only ever answered there.

/**
 * @param apiUrl - Base address of the Web API; where it is not Slack's (tests, proxies), its origin counts too.
 * Source: docs.slack.dev/interactivity/handling-user-interaction (response_url is on hooks.slack.com).
 */
export function slackUrls(apiUrl: string): (url: string) => boolean {
  const { origin } = new URL(apiUrl)
  return (url) => {
    const parsed = URL.parse(url)
    if (parsed === null) return false
    if (parsed.origin === origin) return true
    return parsed.protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(parsed.hostname)
  }
}
