/** What the server gives one document with its script; nothing else in the document knows it. */
export interface Given {
  readonly secret: string
  /** Where the page may be served that shows the preview. */
  readonly parentOrigins: readonly string[]
  readonly previewId: string
}
