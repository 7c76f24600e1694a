/** What is started and what it is given. @throws {Error} when there is no word to start. */
export function programOf(words: readonly string[]): { readonly program: string; readonly args: readonly string[] } {
  const [program, ...args] = words
  if (program === undefined) throw new Error('A command without a word cannot be started')
  return { program, args }
}
