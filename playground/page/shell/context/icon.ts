// Drawn signs. They only repeat what words beside them say, or what their button is called.
import { html } from 'htm/preact'

const paths = {
  channel: 'M8 3 6.5 17M13.5 3 12 17M3.5 7.5h13.5M3 12.5h13.5',
  lock: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  home: 'M3.5 9.5 10 4l6.5 5.5M5.5 8v8h9V8',
  eye: 'M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  reply: 'M3.5 5.5a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H9l-4 3.5v-3.5a2 2 0 0 1-1.5-2z',
  more: 'M10 4.5v.01M10 10v.01M10 15.5v.01',
  plus: 'M10 4v12M4 10h12',
  send: 'M4 16.5 17 10 4 3.5 5.5 10zM5.5 10H11',
  close: 'm5 5 10 10M15 5 5 15',
  menu: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  copy: 'M7.5 7.5h9v9h-9zM4.5 12.5h-1v-9h9v1',
  down: 'M10 4v12M5 11l5 5 5-5',
  shortcut: 'M11 2.5 4.5 11H10l-1 6.5L15.5 9H10z',
  list: 'M3.5 5h.01M3.5 10h.01M3.5 15h.01M7 5h9.5M7 10h9.5M7 15h6',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { readonly name: IconName }) {
  return html`
    <svg class=${`s-icon s-icon-${name}`} viewBox="0 0 20 20" aria-hidden="true"><path d=${paths[name]} /></svg>
  `
}
