/** A preview cannot be made or started as it was asked for. */
export class PreviewError extends Error {
  override readonly name = 'PreviewError'
  readonly code: 'no-place' | 'no-shell' | 'nothing-found' | 'port-refused' | 'too-many' | 'unknown'

  constructor(code: PreviewError['code'], message: string) {
    super(message)
    this.code = code
  }
}
