// What the bot says to whoever writes to it. Pure.
import { type Message, sayMarked } from '../slack/outbound/message.ts'

/** @param isDirect - In the direct message with the bot nobody has to mention it. */
export function renderHelp(isDirect: boolean, isAsked: boolean): Message {
  const bot = isDirect ? '' : '@Bellhop '
  const lines = [
    ...(isAsked ? [] : ['Bellhop did not understand that. It knows these words:']),
    `\`${bot}alert <key or link>\` shows an alert, with its history.`,
    `\`${bot}grant <container> <email> <flags>\` gives somebody access to a container.`,
    `\`${bot}connect\` · \`${bot}watches\` · \`${bot}doctor\``,
    `\`${bot}alert help\` and \`${bot}grant help\` tell the rest. So do /alert and /grant.`,
  ].map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  return sayMarked(lines.join('\n'))
}
