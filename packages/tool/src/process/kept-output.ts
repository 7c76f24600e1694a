/** The head and the tail of a stream of bytes, in memory that does not grow with it. */
export interface KeptOutput {
  readonly text: string
  readonly totalBytes: number
  readonly leftOutBytes: number
}

/** Takes bytes, keeps the first and the last of them. */
export interface OutputKeeper {
  add(bytes: Uint8Array): void
  read(): KeptOutput
}

/** A keeper of at most `limitBytes`: the first half as it came, the last half as it was at the end. */
export function createOutputKeeper(limitBytes: number): OutputKeeper {
  const headLimit = Math.ceil(limitBytes / 2)
  const head: Uint8Array[] = []
  let headBytes = 0
  const tail = createRing(limitBytes - headLimit)
  let totalBytes = 0

  return {
    add(bytes) {
      totalBytes += bytes.byteLength
      const forHead = bytes.subarray(0, headLimit - headBytes)
      if (forHead.byteLength > 0) head.push(new Uint8Array(forHead))
      headBytes += forHead.byteLength
      tail.add(bytes.subarray(forHead.byteLength))
    },
    read() {
      const decoder = new TextDecoder()
      const end = tail.read()
      const leftOutBytes = totalBytes - headBytes - end.byteLength
      // Without a gap a character may stand across the middle: decode it whole.
      if (leftOutBytes === 0) return { text: decoder.decode(Buffer.concat([...head, end])), totalBytes, leftOutBytes }
      const mark = `\n\n[… ${leftOutBytes} of ${totalBytes} bytes are left out here …]\n\n`
      return { text: decoder.decode(Buffer.concat(head)) + mark + decoder.decode(end), totalBytes, leftOutBytes }
    },
  }
}

/** The last `size` bytes of what is added. Its memory is taken once, with the first byte. */
function createRing(size: number): { add(bytes: Uint8Array): void; read(): Uint8Array } {
  let ring: Uint8Array | null = null
  let count = 0
  return {
    add(bytes) {
      if (bytes.byteLength === 0 || size === 0) return
      ring ??= new Uint8Array(size)
      const last = bytes.subarray(Math.max(0, bytes.byteLength - size))
      const start = (count + bytes.byteLength - last.byteLength) % size
      const untilEnd = last.subarray(0, size - start)
      ring.set(untilEnd, start)
      ring.set(last.subarray(untilEnd.byteLength), 0)
      count += bytes.byteLength
    },
    read() {
      if (ring === null) return new Uint8Array()
      if (count <= size) return ring.slice(0, count)
      const start = count % size
      return Buffer.concat([ring.subarray(start), ring.subarray(0, start)])
    },
  }
}
