/** A running Holdfast. */
export interface Running {
  readonly url: string
  readonly token: string
  /** What opens the page: with the token, or where an account can be made or used. */
  readonly link: string
  /** What opens the page in the browser that is started here: in the place of the token with a code, good once. [SEC20] */
  linkOfBrowser(): string
  /** Refuses new work, ends what runs and writes it down, says goodbye, closes. */
  close(): Promise<void>
}
