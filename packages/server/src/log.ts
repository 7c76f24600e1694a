/** Where the server says what happens to it. Fields never hold a secret or what a person wrote. [SEC4] */
export interface Log {
  info(message: string, fields: Readonly<Record<string, unknown>>): void
  warn(message: string, fields: Readonly<Record<string, unknown>>): void
  error(message: string, fields: Readonly<Record<string, unknown>>): void
}
