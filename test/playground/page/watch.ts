// Watches windows of the page: whatever the browser complains about, and every request that leaves the page's server.
import type { Page } from 'playwright-core'

export interface Watch {
  over(page: Page, whose: string): void
  complaints(): readonly string[]
}

/** @param home - Where the page is served: no request may go elsewhere. */
export function startWatch(home: string): Watch {
  const complaints: string[] = []
  return {
    over(page, whose) {
      const complain = (words: string) => complaints.push(`${whose}: ${words}`)
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complain(message.text())
      })
      page.on('pageerror', (error) => complain(String(error.stack ?? error)))
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(`${home}/`) && !url.startsWith('data:')) complain(`asked ${url}`)
      })
    },
    complaints: () => [...complaints],
  }
}
