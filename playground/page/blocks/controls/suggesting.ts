// The menu that asks the bot while somebody types: a box with a list of what it suggests.
import { html } from 'htm/preact'
import { useId, useState } from 'preact/hooks'
import { record, text } from '../../../slack/model/json.ts'
import type { ElementProps } from '../base/block.ts'
import { words } from '../text/text.ts'
import { controlId, useOne } from './control.ts'
import { useFocusOnLoad } from './focus.ts'
import { placeholderOf } from './offered.ts'

/** What is looked for, and where in the list somebody is. Until they type, the box shows what is chosen. */
interface Search {
  readonly typed: string
  readonly isBegun: boolean
  readonly at: number
}

export function Suggesting(props: ElementProps) {
  const { element, field, given } = props
  const { value, set, isOff, names, dialog } = useOne(props)
  const [search, setSearch] = useState<Search | undefined>(undefined)
  const focus = useFocusOnLoad(element, isOff)
  const listId = useId()
  const id = controlId(props)
  const suggested = given.suggested?.[`${id.blockId} ${id.actionId}`]
  const isThere = search !== undefined && suggested?.typed === search.typed
  const options = isThere ? suggested.options : []
  const at = Math.min(search?.at ?? 0, options.length - 1)

  const look = (typed: string, isBegun: boolean) => {
    setSearch({ typed, isBegun, at: 0 })
    void given.use?.suggest?.(id, typed)
  }
  const choose = (index: number) => {
    set(text(options[index]?.value) ?? '')
    setSearch(undefined)
  }
  const takeKey = (key: string): boolean => {
    if (search === undefined) {
      if (key === 'ArrowDown') look('', false)
      return key === 'ArrowDown'
    }
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0)
      setSearch({ ...search, at: (at + step + options.length) % Math.max(1, options.length) })
    else if (key === 'Escape') setSearch(undefined)
    // The form is not sent from here.
    else if (key === 'Enter') options.length > 0 && choose(at)
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!takeKey(event.key)) return
    event.preventDefault()
    // The form has an Escape of its own.
    event.stopPropagation()
  }
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    look(currentTarget.value, true)
  // Whoever types replaces it.
  const onFocus = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    currentTarget.select()
    if (search === undefined) look('', false)
  }
  // The box keeps the focus: pressing an entry must not take it.
  const keepFocus = (event: Event) => event.preventDefault()

  return html`<div class="b-suggesting">
    <input
      ...${focus}
      ...${names}
      id=${field?.inputId}
      class="b-input"
      type="text"
      role="combobox"
      aria-autocomplete="list"
      aria-expanded=${isThere ? 'true' : 'false'}
      aria-controls=${isThere ? listId : undefined}
      aria-activedescendant=${options.length > 0 ? `${listId}-${at}` : undefined}
      aria-required=${field?.isRequired ? 'true' : undefined}
      autocomplete="off"
      placeholder=${placeholderOf(element)}
      disabled=${isOff}
      value=${search?.isBegun ? search.typed : labelOf(props, value)}
      onFocus=${onFocus}
      onBlur=${() => setSearch(undefined)}
      onInput=${onInput}
      onKeyDown=${onKeyDown}
    />
    ${
      isThere &&
      html`<div class="b-suggested" id=${listId} role="listbox" aria-label="Suggestions" onMouseDown=${keepFocus}>
        ${options.map(
          (option, index) => html`<div
            key=${text(option.value)}
            id=${`${listId}-${index}`}
            class="b-suggestion"
            role="option"
            aria-selected=${index === at}
            onClick=${() => choose(index)}
          >${words(option.text)}</div>`,
        )}
      </div>`
    }
    ${isThere && options.length === 0 && html`<p class="b-hint" role="status">No results</p>`}${dialog}
  </div>`
}

/** Of what is chosen: as the bot named it when it suggested it, or when it drew the form. */
function labelOf({ block, element, given }: ElementProps, value: string): string {
  const held = given.values?.[text(block.block_id) ?? '']?.[text(element.action_id) ?? '']
  const { selected_option: chosen = element.initial_option } = record(held)
  return words(record(chosen).text) ?? value
}
