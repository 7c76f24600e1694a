/** Where the server says what happens to it. Fields never hold a secret or what a person wrote. [SEC4] */
export interface Diagnostics {
  /** What only somebody who looks for a mistake wants to read. */
  debug?(message: string, fields: Readonly<Record<string, unknown>>): void
  info(message: string, fields: Readonly<Record<string, unknown>>): void
  warn(message: string, fields: Readonly<Record<string, unknown>>): void
  error(message: string, fields: Readonly<Record<string, unknown>>): void
}
