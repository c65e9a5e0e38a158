// Long texts and many things.

export const long = (length: number) => 'x'.repeat(length)
export const many = <T>(length: number, one: (at: number) => T) =>
  Array.from({ length }, (_, at) => one(at))
