// The message box: messages, and commands with their completion.
import { html } from 'htm/preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ChannelState } from '../../state/state.ts'
import { Icon } from '../context/icon.ts'
import { usePage } from '../context/page-context.ts'
import { commandOf, useCompletion } from './completion.ts'
import { CompletionList, optionId } from './completion-list.ts'
import { useLine } from './line.ts'
import { ShortcutsMenu } from './shortcuts-menu.ts'

/** Characters of one message, as the server takes them. */
const longestMessage = 40_000

interface MessageBoxProps {
  readonly channel: ChannelState
  readonly threadTs?: string
  /** What it is called. */
  readonly name: string
}

export function MessageBox({ channel, threadTs, name }: MessageBoxProps) {
  const { state } = usePage()
  const box = useRef<HTMLTextAreaElement>(null)
  const line = useLine(channel.id, threadTs)
  const completion = useCompletion(line.isRecalled ? '' : line.text, state, line.set)
  const { offers, selected } = completion
  const isOpen = offers.length > 0
  const command = commandOf(line.text, state.commands)
  const id = threadTs === undefined ? 's-box' : 's-thread-box'

  useLayoutEffect(() => {
    if (box.current) fitHeight(box.current)
  }, [line.text])

  const takeKey = (event: KeyboardEvent): boolean => {
    // While a word is composed, as in Japanese, keys belong to it.
    if (event.isComposing) return false
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    if (shiftKey || altKey || ctrlKey || metaKey) return false
    if (isOpen && completion.takeKey(key)) return true
    if (key === 'ArrowUp') return line.recall(-1)
    if (key === 'ArrowDown') return line.recall(1)
    if (key !== 'Enter') return false
    line.send()
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (takeKey(event)) event.preventDefault()
  }
  const onSend = () => {
    line.send()
    box.current?.focus()
  }

  return html`
    <div class="s-composer">
      ${
        isOpen &&
        html`
          <${CompletionList}
            id=${`${id}-commands`}
            offers=${offers}
            selected=${selected}
            onChoose=${completion.choose}
          />
        `
      }
      <p class="s-hint" id=${`${id}-hint`}>
        ${command && html`<b>${command.name}</b> ${command.usageHint}`}
      </p>
      <div class="s-box">
        <${ShortcutsMenu} />
        <textarea
          class="s-input"
          ref=${box}
          rows="1"
          maxlength=${longestMessage}
          role="combobox"
          aria-label=${name}
          aria-describedby=${`${id}-hint`}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded=${isOpen}
          aria-controls=${isOpen ? `${id}-commands` : undefined}
          aria-activedescendant=${isOpen ? optionId(`${id}-commands`, selected) : undefined}
          placeholder=${name}
          autocomplete="off"
          value=${line.text}
          onInput=${({ currentTarget }: InputEvent & { currentTarget: HTMLTextAreaElement }) => line.set(currentTarget.value)}
          onKeyDown=${onKeyDown}
        ></textarea>
        <button
          type="button"
          class="s-send"
          aria-label="Send"
          title="Send"
          disabled=${line.text.trim() === ''}
          onClick=${onSend}
        >
          <${Icon} name="send" />
        </button>
      </div>
    </div>
  `
}

/** As high as its text; the style sheet says how high at most. */
function fitHeight(box: HTMLTextAreaElement): void {
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight}px`
}
