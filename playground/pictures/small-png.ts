// Makes pictures of text small: few colours instead of all those of its soft edges. They look the same.
// Source: www.w3.org/TR/png, “Filtering” and “Indexed-colour”.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const mostColours = 32
/** Colours that differ less than this in every channel count as one, */
const tolerance = 16
/** unless they fill more than this share of the picture: tints of a surface are faint. */
const surfaceShare = 0.004
/** Fewer pixels than these have a colour to be kept by chance alone, at the edge of something else. */
const fewest = 12

interface Pixels {
  readonly width: number
  readonly height: number
  /** Four bytes each: red, green, blue, opacity. */
  readonly rgba: Buffer
}

/**
 * @param png - A screenshot: eight bits a channel, not interlaced.
 * @param kept - Colours that stay as they are wherever there are a few pixels of them: red, green, blue, opacity.
 */
export function smallPng(png: Buffer, kept: ReadonlySet<number>): Buffer {
  const { width, height, rgba } = readPixels(png)
  const { palette, indexOf } = paletteOf(rgba, kept)
  // Each row begins with a byte that says: not filtered.
  const rows = new Uint8Array((width + 1) * height)
  for (let at = 0; at < width * height; at += 1) {
    const row = Math.floor(at / width)
    rows[at + row + 1] = indexOf.get(rgba.readUInt32BE(at * 4)) ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((colour) => channels(colour).slice(0, 3)))
  const opacities = Buffer.from(palette.map(opacity).filter((value) => value < 255))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    ...(opacities.length === 0 ? [] : [chunk('tRNS', opacities)]),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function readPixels(png: Buffer): Pixels {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const [bits, kind] = [png[24], png[25]]
  if (bits !== 8 || (kind !== 2 && kind !== 6)) throw new TypeError('Not a screenshot.')
  const size = kind === 2 ? 3 : 4
  const data: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length))
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * size, height, size)
  const rgba = Buffer.alloc(width * height * 4, 255)
  for (let at = 0; at < width * height; at += 1) {
    rgba.set(bytes.subarray(at * size, (at + 1) * size), at * 4)
  }
  return { width, height, rgba }
}

function unfiltered(source: Buffer, stride: number, height: number, size: number): Uint8Array {
  const bytes = new Uint8Array(stride * height)
  for (let row = 0; row < height; row += 1) {
    const filter = source[row * (stride + 1)]
    for (let x = 0; x < stride; x += 1) {
      const at = row * stride + x
      const left = x < size ? 0 : (bytes[at - size] ?? 0)
      const up = row === 0 ? 0 : (bytes[at - stride] ?? 0)
      const corner = x < size || row === 0 ? 0 : (bytes[at - stride - size] ?? 0)
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      bytes[at] = (source[row * (stride + 1) + 1 + x] ?? 0) + predicted
    }
  }
  return bytes
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** Colours to be kept, round corners, however few, and the commonest; for every colour which of them stands for it. */
function paletteOf(rgba: Buffer, kept: ReadonlySet<number>) {
  const counts = new Map<number, number>()
  for (let at = 0; at < rgba.length; at += 4) {
    const colour = rgba.readUInt32BE(at)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const weight = (colour: number) => (opacity(colour) < 255 ? Infinity : (counts.get(colour) ?? 0))
  const byCount = [...counts.keys()].sort((one, other) => weight(other) - weight(one) || one - other)
  const palette = byCount.filter((colour) => kept.has(colour) && (counts.get(colour) ?? 0) >= fewest)
  const most = palette.length + mostColours
  for (const colour of byCount) {
    if (palette.length === most) break
    const isSurface = (counts.get(colour) ?? 0) * 4 > rgba.length * surfaceShare
    const least = isSurface ? 1 : tolerance
    if (palette.every((chosen) => distance(chosen, colour) >= least)) palette.push(colour)
  }
  // Opacities are listed for the first colours alone.
  palette.sort((one, other) => opacity(one) - opacity(other))
  const indexOf = new Map(byCount.map((colour) => [colour, nearest(colour, palette)]))
  return { palette, indexOf }
}

function nearest(colour: number, palette: readonly number[]): number {
  let best = 0
  for (const [index, chosen] of palette.entries()) {
    if (distance(chosen, colour) < distance(palette[best] ?? 0, colour)) best = index
  }
  return best
}

function distance(one: number, other: number): number {
  const others = channels(other)
  return Math.max(...channels(one).map((value, at) => Math.abs(value - (others[at] ?? 0))))
}

function channels(colour: number): readonly [number, number, number, number] {
  return [(colour >> 24) & 255, (colour >> 16) & 255, (colour >> 8) & 255, opacity(colour)]
}

function opacity(colour: number): number {
  return colour & 255
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
