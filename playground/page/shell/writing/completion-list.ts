// The list of what a line could become, above the message box.
import { html } from 'htm/preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Offer } from './completion.ts'

interface CompletionListProps {
  readonly id: string
  readonly offers: readonly Offer[]
  readonly selected: number
  readonly onChoose: (offer: Offer) => void
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

export function CompletionList({ id, offers, selected, onChoose }: CompletionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  // The box keeps the focus: pressing an entry must not take it.
  const keepFocus = (event: Event) => event.preventDefault()
  return html`
    <div class="s-offers" id=${id} role="listbox" aria-label=${offers[0]?.name.startsWith('@') ? 'People' : 'Commands'} ref=${list} onMouseDown=${keepFocus}>
      ${offers.map(
        (offer, index) => html`
          <div
            key=${offer.name}
            id=${optionId(id, index)}
            class="s-offer"
            role="option"
            aria-selected=${index === selected}
            onClick=${() => onChoose(offer)}
          >
            <span class="s-offer-usage"><b>${offer.name}</b> ${offer.more}</span>
            <span class="s-offer-about">${offer.description}</span>
          </div>
        `,
      )}
    </div>
  `
}
