/** Takes bytes as they come and gives whole lines of UTF-8. */
export function readLines(onLine: (line: string) => void): (bytes: Uint8Array) => void {
  let begun: Uint8Array[] = []
  return (bytes) => {
    let from = 0
    for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, from)) {
      begun.push(bytes.subarray(from, at))
      const line = Buffer.concat(begun).toString('utf8')
      begun = []
      from = at + 1
      onLine(line)
    }
    if (from < bytes.length) begun.push(bytes.subarray(from))
  }
}

const LINE_END = 10
