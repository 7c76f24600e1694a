/** A page as text. */
export interface PageText {
  readonly title: string
  readonly text: string
}

/** A page of HTML, to be read. */
export interface HtmlPage {
  readonly html: string
  readonly address: string
}
