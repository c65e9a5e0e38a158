// Makes pictures of text small: few colours instead of all those of its soft edges. They look the same.
// Source: www.w3.org/TR/png, “Filtering” and “Indexed-colour”.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const mostColours = 96
/** Colours that differ less than this in every channel count as one. */
const tolerance = 4

interface Pixels {
  readonly width: number
  readonly height: number
  /** Three bytes each. */
  readonly rgb: Uint8Array
}

/** @param png - A screenshot: eight bits a channel, opaque, not interlaced. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, rgb } = readPixels(png)
  const { palette, indexOf } = paletteOf(rgb)
  // Each row begins with a byte that says: not filtered.
  const rows = new Uint8Array((width + 1) * height)
  for (let at = 0; at < width * height; at += 1) {
    const row = Math.floor(at / width)
    rows[at + row + 1] = indexOf.get(colourAt(rgb, at * 3)) ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap(channels))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
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
  const rgb = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at += 1) {
    rgb.set(bytes.subarray(at * size, at * size + 3), at * 3)
  }
  return { width, height, rgb }
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

/** The commonest colours, and for every colour which of them stands for it. */
function paletteOf(rgb: Uint8Array) {
  const counts = new Map<number, number>()
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = colourAt(rgb, at)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const byCount = [...counts.keys()].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))
  const palette: number[] = []
  for (const colour of byCount) {
    if (palette.length === mostColours) break
    if (palette.every((chosen) => distance(chosen, colour) >= tolerance)) palette.push(colour)
  }
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
  const [red, green, blue] = channels(one)
  const [otherRed, otherGreen, otherBlue] = channels(other)
  return Math.max(Math.abs(red - otherRed), Math.abs(green - otherGreen), Math.abs(blue - otherBlue))
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255]
}

function colourAt(rgb: Uint8Array, at: number): number {
  return ((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0)
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
