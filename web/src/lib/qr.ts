// QR codes (ISO/IEC 18004) for links: bytes, error correction level M, versions 1 to 12, which is
// up to 287 bytes. Written here because it is small and the only one who needs it is a link.

/** For versions 1 to 12 at level M: check bytes of a block, and blocks. */
const CHECK_BYTES = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8]

type Grid = boolean[][]

/** The modules of the code, `true` for dark; nothing if the text is too long. */
export function qr(text: string): Grid | null {
  const bytes = new TextEncoder().encode(text)
  for (let version = 1; version <= CHECK_BYTES.length; version++) {
    const room = nBytes(version) - check(version) * blocks(version)
    const lengthBits = version < 10 ? 8 : 16
    if (bytes.length <= room - (4 + lengthBits) / 8) return draw(version, interleave(version, pack(bytes, lengthBits, room)))
  }
  return null
}

const check = (version: number) => CHECK_BYTES[version - 1] ?? 0
const blocks = (version: number) => BLOCKS[version - 1] ?? 1
const side = (version: number) => version * 4 + 17

/** The middles of the alignment patterns, in each direction. */
function alignment(version: number): number[] {
  if (version === 1) return []
  const n = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (n - 1) / 2) * 2
  return [6, ...Array.from({ length: n - 1 }, (_, i) => side(version) - 7 - step * i).reverse()]
}

/** How many bytes fit beside the fixed patterns. */
function nBytes(version: number): number {
  const grid = patterns(version).fixed
  return Math.floor(grid.flat().filter((isFixed) => !isFixed).length / 8)
}

/** The bytes with their header, padded to the room there is. */
function pack(bytes: Uint8Array, lengthBits: number, room: number): number[] {
  const bits: number[] = []
  const push = (value: number, n: number) => {
    for (let i = n - 1; i >= 0; i--) bits.push((value >> i) & 1)
  }
  push(0b0100, 4)
  push(bytes.length, lengthBits)
  for (const byte of bytes) push(byte, 8)
  push(0, Math.min(4, room * 8 - bits.length))
  while (bits.length % 8 !== 0) bits.push(0)
  const packed: number[] = []
  for (let i = 0; i < bits.length; i += 8) packed.push(parseInt(bits.slice(i, i + 8).join(''), 2))
  for (let pad = 0xec; packed.length < room; pad ^= 0xec ^ 0x11) packed.push(pad)
  return packed
}

/** Splits into blocks, adds check bytes to each, and deals them out in turn. */
function interleave(version: number, data: number[]): number[] {
  const n = blocks(version)
  const short = Math.floor(data.length / n)
  const nShort = n - (data.length % n)
  const parts: number[][] = []
  for (let i = 0, at = 0; i < n; i++) {
    const length = short + (i < nShort ? 0 : 1)
    parts.push(data.slice(at, at + length))
    at += length
  }
  const checks = parts.map((part) => remainder(part, check(version)))
  const dealt: number[] = []
  for (let i = 0; i <= short; i++) for (const part of parts) if (i < part.length) dealt.push(part[i] ?? 0)
  for (let i = 0; i < check(version); i++) for (const part of checks) dealt.push(part[i] ?? 0)
  return dealt
}

/** Multiplication in the field of 256 elements with the polynomial 0x11d. */
function times(a: number, b: number): number {
  let product = 0
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> i) & 1) * a
  }
  return product
}

/** The Reed-Solomon check bytes. */
function remainder(data: number[], n: number): number[] {
  let divisor = [1]
  for (let i = 0, root = 1; i < n; i++, root = times(root, 2)) {
    const next = new Array<number>(divisor.length + 1).fill(0)
    divisor.forEach((coefficient, at) => {
      next[at] = (next[at] ?? 0) ^ coefficient
      next[at + 1] = (next[at + 1] ?? 0) ^ times(coefficient, root)
    })
    divisor = next
  }
  const rest = new Array<number>(n).fill(0)
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    for (let i = 0; i < n; i++) rest[i] = (rest[i] ?? 0) ^ times(divisor[i + 1] ?? 0, factor)
  }
  return rest
}

/** The patterns that every code of a version has, and which modules they take. */
function patterns(version: number): { dark: Grid; fixed: Grid } {
  const size = side(version)
  const dark: Grid = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const fixed: Grid = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const set = (x: number, y: number, isDark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return
    dark[y]![x] = isDark
    fixed[y]![x] = true
  }
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy))
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4)
      }
    }
  }
  const middles = alignment(version)
  const last = middles.length - 1
  middles.forEach((cx, i) =>
    middles.forEach((cy, j) => {
      const isCorner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (isCorner) return
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
      }
    }),
  )
  // Room for the format, which depends on the mask, and the version.
  format(size, 0, set)
  if (version >= 7) {
    let rest = version
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
    const bits = (version << 12) | rest
    for (let i = 0; i < 18; i++) {
      const isDark = ((bits >> i) & 1) === 1
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)]
      set(a, b, isDark)
      set(b, a, isDark)
    }
  }
  return { dark, fixed }
}

/** Level M and the mask, twice, around the corners. */
function format(size: number, mask: number, set: (x: number, y: number, isDark: boolean) => void): void {
  // Level M is 0 in the two bits above the mask.
  let rest = mask
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537)
  const bits = ((mask << 10) | rest) ^ 0x5412
  const bit = (i: number) => ((bits >> i) & 1) === 1
  for (let i = 0; i <= 5; i++) set(8, i, bit(i))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i))
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i))
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i))
  set(8, size - 8, true)
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Writes the bytes in their zigzag, with the mask that looks best to a reader. */
function draw(version: number, bytes: number[]): Grid {
  const { dark, fixed } = patterns(version)
  const size = side(version)
  let i = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const isUp = ((right + 1) & 2) === 0
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (fixed[y]![x] || i >= bytes.length * 8) continue
        dark[y]![x] = (((bytes[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) === 1
        i++
      }
    }
  }
  const masked = MASKS.map((isFlipped, mask) => {
    const grid = dark.map((row, y) => row.map((isDark, x) => isDark !== (!fixed[y]![x] && isFlipped(x, y))))
    format(size, mask, (x, y, isDark) => (grid[y]![x] = isDark))
    return grid
  })
  return masked.reduce((best, grid) => (ugliness(grid) < ugliness(best) ? grid : best))
}

/** Long runs, blocks and imbalance, which make a code hard to read. */
function ugliness(grid: Grid): number {
  const size = grid.length
  let sum = 0
  for (const lines of [grid, grid.map((_, x) => grid.map((row) => row[x] ?? false))]) {
    for (const line of lines) {
      for (let at = 0; at < size; ) {
        let end = at
        while (end < size && line[end] === line[at]) end++
        if (end - at >= 5) sum += end - at - 2
        at = end
      }
      const text = line.map(Number).join('')
      sum += 40 * (text.match(/(?=00001011101)|(?=10111010000)/g)?.length ?? 0)
    }
  }
  let nDark = 0
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const isDark = grid[y]![x]
      if (isDark) nDark++
      if (x + 1 < size && y + 1 < size && isDark === grid[y]![x + 1] && isDark === grid[y + 1]![x] && isDark === grid[y + 1]![x + 1]) sum += 3
    }
  }
  return sum + 10 * Math.floor(Math.abs((nDark * 20) / (size * size) - 10))
}
