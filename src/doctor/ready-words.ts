// Words of /readyz for why a bot is not ready. Whoever runs it matches them, so doctor has sentences of its own.

/** No host and no file in them. */
export const readyWords = {
  away: 'cannot be reached',
  moved: 'the database file was removed or replaced',
  full: 'the disk is full',
  refused: 'the system refuses to write its file',
  'read-only': 'it can only be read',
  silent: 'has not answered yet',
  noSocket: 'the socket is not connected',
} as const
