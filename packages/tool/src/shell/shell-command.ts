/** One word of a shell line, as far as it is known before the line runs. */
export interface ShellWord {
  /**
   * `literal`: `text` is what the program gets. `glob`: the shell puts file names in its place.
   * `dynamic`: variables, substitutions or braces; it may become other words, none, or several.
   */
  readonly kind: 'literal' | 'glob' | 'dynamic'
  /** The word without its quotes; of a dynamic word, what is left when the unknown parts are taken out. */
  readonly text: string
  /** What the word surely begins with: the text before the first unknown part. */
  readonly prefix: string
}

/** A variable that is set, for one command or for the rest of the line. */
export interface ShellAssignment {
  readonly name: string
  readonly value: ShellWord
}

/** A redirection; `target` is null where the text stands in the line itself (a here-document). */
export interface ShellRedirection {
  readonly operator: '<' | '<>' | '>' | '>>' | '>|' | '>&' | '<&' | '&>' | '&>>' | '<<' | '<<<'
  readonly target: ShellWord | null
}

/**
 * One simple command of a line, wherever it stands: in lists, pipes, subshells, loops, substitutions,
 * here-documents or the bodies of functions. Without words it only sets variables or redirects.
 */
export interface ShellCommand {
  readonly assignments: readonly ShellAssignment[]
  readonly words: readonly ShellWord[]
  readonly redirections: readonly ShellRedirection[]
  /** The function in whose body it stands. */
  readonly inFunction: string | null
}

/** A line read to its end, or the reason why it was not. [PERM2] */
export type ShellLine =
  | { readonly type: 'parsed'; readonly commands: readonly ShellCommand[] }
  | { readonly type: 'refused'; readonly reason: string }

/** A line that the reader does not take. Thrown inside the reader only. */
export class ShellRefusal extends Error {
  override readonly name = 'ShellRefusal'
}
