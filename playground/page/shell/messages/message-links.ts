// A link to a message of this workspace leads to it in the page itself, as in Slack.
import { useEffect } from 'preact/hooks'

const permalink = /^https:\/\/[^/]+\.slack\.com\/archives\/(\w+)\/p(\d{10})(\d{6})$/

/** @param open - Returns false when the message is not to be seen here. */
export function useMessageLinks(open: (channelId: string, ts: string) => boolean): void {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const [, channelId, seconds, rest] = permalink.exec(link?.href ?? '') ?? []
      if (channelId !== undefined && open(channelId, `${seconds}.${rest}`)) event.preventDefault()
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [open])
}
