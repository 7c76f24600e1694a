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
  const tailLimit = limitBytes - headLimit
  const head: Uint8Array[] = []
  let headBytes = 0
  let tail: Uint8Array[] = []
  let tailBytes = 0
  let totalBytes = 0

  function trimTail(): void {
    if (tailBytes <= 2 * tailLimit) return
    const last = Buffer.concat(tail).subarray(tailBytes - tailLimit)
    tail = [new Uint8Array(last)]
    tailBytes = last.byteLength
  }

  return {
    add(bytes) {
      totalBytes += bytes.byteLength
      const forHead = bytes.subarray(0, headLimit - headBytes)
      if (forHead.byteLength > 0) head.push(new Uint8Array(forHead))
      headBytes += forHead.byteLength
      const rest = bytes.subarray(forHead.byteLength)
      if (rest.byteLength === 0) return
      const last = rest.subarray(Math.max(0, rest.byteLength - tailLimit))
      tail.push(new Uint8Array(last))
      tailBytes += last.byteLength
      trimTail()
    },
    read() {
      const decoder = new TextDecoder()
      const end = Buffer.concat(tail).subarray(Math.max(0, tailBytes - tailLimit))
      const leftOutBytes = totalBytes - headBytes - end.byteLength
      // Without a gap a character may stand across the middle: decode it whole.
      if (leftOutBytes === 0) return { text: decoder.decode(Buffer.concat([...head, end])), totalBytes, leftOutBytes }
      const mark = `\n\n[… ${leftOutBytes} of ${totalBytes} bytes are left out here …]\n\n`
      return { text: decoder.decode(Buffer.concat(head)) + mark + decoder.decode(end), totalBytes, leftOutBytes }
    },
  }
}
