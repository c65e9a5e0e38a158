// The commands that a line could become, above the message box.
import { html } from 'htm/preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Command } from '../state.ts'

interface CompletionListProps {
  readonly id: string
  readonly offers: readonly Command[]
  readonly selected: number
  readonly onChoose: (command: Command) => void
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
    <div class="s-offers" id=${id} role="listbox" aria-label="Commands" ref=${list} onMouseDown=${keepFocus}>
      ${offers.map(
        (command, index) => html`
          <div
            key=${command.name}
            id=${optionId(id, index)}
            class="s-offer"
            role="option"
            aria-selected=${index === selected}
            onClick=${() => onChoose(command)}
          >
            <span class="s-offer-usage"><b>${command.name}</b> ${command.usageHint}</span>
            <span class="s-offer-about">${command.description}</span>
          </div>
        `,
      )}
    </div>
  `
}
