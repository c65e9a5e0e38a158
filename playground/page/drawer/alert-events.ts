// The menu “New event” of an alert at the stand-in service: what can happen to it now.
import { html } from 'htm/preact'
import { MenuButton } from '../menu/menu-button.ts'
import { usePage } from '../shell/context/page-context.ts'
import type { WantedEvent } from '../state/acts.ts'
import type { AlertState } from '../state/state.ts'

interface Offer {
  readonly what: WantedEvent
  readonly label: string
  readonly description?: string
}

const next: Offer = {
  what: 'next',
  label: 'What comes next',
  description: 'One step of a typical story',
}
const comment: Offer = { what: 'comment', label: 'Somebody comments' }

const ofOpen: readonly Offer[] = [
  next,
  { what: 'worse', label: 'It gets worse' },
  { what: 'better', label: 'It gets better' },
  comment,
  { what: 'assign', label: 'It is assigned' },
  { what: 'close', label: 'It is closed' },
]

const ofClosed: readonly Offer[] = [next, comment, { what: 'reopen', label: 'It opens again' }]

export function AlertEvents({ alert: { ks, isClosed } }: { readonly alert: AlertState }) {
  const { act } = usePage()
  const items = (isClosed ? ofClosed : ofOpen).map(({ what, ...words }) => ({
    ...words,
    id: what,
    choose: () => void act({ do: 'event', ks, what }),
  }))
  return html`
    <${MenuButton} label=${`New event for ${ks}`} look="d-event" items=${items}>New event<//>
  `
}
