// Values that nobody sends by accident: texts, numbers and shapes that break things, and what one kind of value looks
// like where another belongs. Data only.

const secret = 'x'.repeat(64)

/** Lines, keys, addresses and flags that look like something else, or are nothing at all. */
export const hostileTexts: readonly string[] = [
  ...[
    '',
    ' ',
    '\0',
    '\u0007\u001b[31m',
    '\ud800',
    'a\udfffb',
    '\ufffd',
    '\ufeff',
    '\u202e12 moc.elpmaxe@evad',
  ],
  ...[
    '.',
    '..',
    '../12/user',
    '..%2f..',
    '%2e%2e',
    '%2e',
    '%',
    '%zz',
    '/container/12/user',
    '5HkX?x=1#y',
    '5HkX/../..',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '[object Object]',
    'null',
    'undefined',
    'NaN',
  ],
  ...[
    '12 dave@example.com REАD',
    '12 dave@example.com apı',
    '12 dаve@example.com READ',
    '12 dave＠example.com READ',
  ],
  ...[
    '12 dave@example.com\u200b READ',
    '12 "dave@example.com" READ',
    '12 dave@bücher.example READ',
    '-1 dave@example.com READ',
  ],
  ...[
    '12 dave@example.com cafe\u0301',
    '12e3 dave@example.com READ',
    '999999999999999999999 dave@example.com READ',
  ],
  ...[
    '12 dave@example.com READ via Password',
    '12 <mailto:mallory@example.com|dave@example.com> READ',
    '１２ dave@example.com READ',
  ],
  ...[
    '<@U999>',
    '<!channel>',
    '<https://monitoring.example.com/alert/%2e%2e>',
    'https://monitoring.example.com/alert/..%2f..',
    'https://monitoring.example.com/container/12/asset/%2e%2e/alert?alert=1700000000',
    'https://monitoring.example.com/container/12/asset/34/alert?alert=1e9&item=%ff',
    'https://monitoring.example.com/container/12/asset/9999999999999999999/alert?alert=-1',
  ],
  ...['connect', `connect ${secret}`, 'watches', 'help', 'private', 'watch', 'doctor'],
  ...[
    '"',
    '“',
    '"5HkX',
    '«»',
    '`',
    '``',
    '5HkX private watch',
    '5Hk\u200bX',
    '5HkX\u0301',
    'null; DROP TABLE cards',
    "' OR 1=1",
  ],
  ...[
    '{"id":"1"}',
    '{"waitingId":7}',
    '{"place":null}',
    '[]',
    '{',
    '{"__proto__":{"id":"x"}}',
    '{"cardId":"x","id":"x"}',
  ],
  ...['open', 'share', 'grant x', 'stop \0', '-1', '1e309', '9'.repeat(400), '0x10', 'true'],
  ...[
    'C0GENERAL',
    'D1',
    'U0',
    'W1',
    'T0OTHER',
    'E1',
    'mpdm-a',
    'directmessage',
    '0',
    '1700000000.000100',
    '9'.repeat(30),
  ],
  ...[
    'x'.repeat(300),
    'x'.repeat(4_000),
    'é'.repeat(3_001),
    '😀'.repeat(800),
    '"'.repeat(2_000),
    '<'.repeat(2_000),
  ],
  'x'.repeat(60_000),
]

export const hostileValues: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, Number.MAX_SAFE_INTEGER + 2, 1e308, -1e308],
  ...[[], {}, [[]], [null], [{}], { id: null }, { id: 7 }, { id: '' }, { length: 1e9 }, { toString: 1 }],
  ...[
    { value: 'a' },
    [{ value: 'READ' }, { value: 'REАD' }],
    Array.from({ length: 500 }, () => ({ value: 'x' })),
  ],
]

/** Objects in objects. */
export function nested(depth: number): unknown {
  let inside: unknown = 'deep'
  for (let level = 0; level < depth; level += 1) inside = level % 2 === 0 ? { a: inside } : [inside]
  return inside
}

/** Names that objects have of their own, and names of other fields. */
export const hostileNames: readonly string[] = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'then',
    'toJSON',
    'length',
    '',
    '\0',
    'ID',
    'Type',
  ],
  ...[
    'type',
    'id',
    'user',
    'user_id',
    'team_id',
    'event',
    'command',
    'actions',
    'view',
    'name',
    'channel',
    'payload',
  ],
  ...[
    'ssl_check',
    'is_enterprise_install',
    'enterprise_id',
    'authorizations',
    'function_data',
    'bot_access_token',
  ],
]
