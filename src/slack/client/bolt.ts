// Slack's own libraries, as the bot uses them.
export { App, HTTPReceiver, isValidSlackRequest, LogLevel } from '@slack/bolt'
export { SocketModeClient } from '@slack/socket-mode'
