// The page: a Slack in the browser.
import { html } from 'htm/preact'
import { render } from 'preact'
import { PageShell } from './shell/page-shell.ts'

const root = document.getElementById('page')
if (root) render(html`<${PageShell} />`, root)
