/** An entry cannot be erased: it holds no content, or it does not exist. */
export class ErasureRefusedError extends Error {
  override readonly name = 'ErasureRefusedError'
  readonly code = 'erasure-refused'
  readonly seq: number

  constructor(seq: number, why: string) {
    super(`Entry ${seq} cannot be erased: ${why}`)
    this.seq = seq
  }
}
