import type { Command, Option } from 'commander'

/** What a server is asked for, where its ids may stand. */
export type CompletedKind = 'conversation' | 'model' | 'workspace' | 'external'

/** How conversations and models are called in the descriptions of commands: what is called so is completed by its ids. */
const KINDS: ReadonlyMap<string, CompletedKind> = new Map([
  ['conversation', 'conversation'],
  ['model', 'model'],
  ['external', 'external'],
])

/** What ids may stand in the place of the last of these words; null where none may. */
export function kindAt(program: Command, words: readonly string[]): CompletedKind | null {
  const { command, operandCount, pending } = placeOf(program, words.slice(0, -1))
  if (pending) return kindOfValue(pending)
  if (words.at(-1)?.startsWith('-')) return null
  const argument = command.registeredArguments[operandCount] ?? command.registeredArguments.findLast(isVariadic)
  return (argument && KINDS.get(argument.name())) ?? null
}

/**
 * What may stand in the place of the last of these words, as far as the command line knows; nothing where a file, an id
 * or any text may stand.
 */
export function completionsOf(program: Command, words: readonly string[]): readonly string[] {
  const { command, operandCount, pending } = placeOf(program, words.slice(0, -1))
  const last = words.at(-1) ?? ''
  const [long, begun] = splitOption(last)
  if (pending) return beginningWith(last, pending.argChoices ?? [])
  if (begun !== null) {
    const choices = optionNamed(command, long)?.argChoices ?? []
    return beginningWith(begun, choices).map((choice) => `${long}=${choice}`)
  }
  if (last.startsWith('-')) return beginningWith(last, flagsOf(command))
  const argument = command.registeredArguments[operandCount] ?? command.registeredArguments.findLast(isVariadic)
  const names = operandCount === 0 ? visibleCommands(command).map((child) => child.name()) : []
  return beginningWith(last, [...names, ...(argument?.argChoices ?? [])])
}

/** A `--workspace` that takes a folder alone has the names of files. */
function kindOfValue(option: Option): CompletedKind | null {
  if (option.flags.endsWith('<workspace>')) return 'workspace'
  return KINDS.get(option.attributeName()) ?? null
}

interface Place {
  readonly command: Command
  /** How many words stand that are neither commands nor options. */
  readonly operandCount: number
  /** The option whose value comes next. */
  readonly pending: Option | null
}

function placeOf(program: Command, words: readonly string[]): Place {
  let command = program
  let operandCount = 0
  let pending: Option | null = null
  for (const word of words) {
    if (pending) {
      pending = null
      continue
    }
    if (word.startsWith('-')) {
      const option = optionNamed(command, word)
      pending = option?.required === true ? option : null
      continue
    }
    const child = operandCount === 0 ? visibleCommands(command).find((one) => one.name() === word) : undefined
    if (child) command = child
    else operandCount += 1
  }
  return { command, operandCount, pending }
}

/** `--by=day` is an option and its value in one word; null where there is no value yet. */
function splitOption(word: string): readonly [string, string | null] {
  const at = word.indexOf('=')
  return word.startsWith('--') && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, null]
}

function optionNamed(command: Command, word: string): Option | undefined {
  return command.options.find(({ long, short }) => long === word || short === word)
}

function flagsOf(command: Command): readonly string[] {
  return [...command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : [])), '--help']
}

function visibleCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command)
}

function isVariadic({ variadic }: { readonly variadic: boolean }): boolean {
  return variadic
}

function beginningWith(beginning: string, words: readonly string[]): readonly string[] {
  return [...new Set(words)].filter((word) => word.startsWith(beginning)).toSorted()
}
