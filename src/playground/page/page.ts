// The page: a Slack in the browser.

import { html } from 'htm/preact'
import { render } from 'preact'
import type { PageState } from './state.ts'

const root = document.getElementById('page')
const live = new EventSource('/live?as=alice')
live.addEventListener('state', (event: MessageEvent<string>) => {
  const state: PageState = JSON.parse(event.data)
  if (root) render(html`<pre>${JSON.stringify(state, null, 1)}</pre>`, root)
})
