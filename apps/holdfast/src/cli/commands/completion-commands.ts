import type { Command } from 'commander'
import { type CompletedKind, completionsOf, kindAt } from '../terminal/completions-of.ts'

/** The shells that are told how to complete a line. */
const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** What each shell runs for the Tab key. Where nothing is known, the shell completes names of files. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_holdfast() {
  local IFS=$'\\n'
  COMPREPLY=($(holdfast complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _holdfast holdfast
`,
  zsh: `#compdef holdfast
_holdfast() {
  local -a found
  found=(\${(f)"$(holdfast complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- $found; else _files; fi
}
compdef _holdfast holdfast
`,
  fish: `function __holdfast_complete
  set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
  holdfast complete -- $words[2..-1] 2>/dev/null
end
complete -c holdfast -a '(__holdfast_complete)'
`,
}

/** Where each script is put to work. */
const EXAMPLES = [
  "bash:  echo 'source <(holdfast completion bash)' >> ~/.bashrc",
  "zsh:   echo 'source <(holdfast completion zsh)' >> ~/.zshrc   (after compinit)",
  'fish:  holdfast completion fish > ~/.config/fish/completions/holdfast.fish',
]

/** Adds what lets shells complete a line of this program. */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('print what lets a shell complete commands with the Tab key')
    .addArgument(program.createArgument('<shell>').choices(SHELLS))
    .addHelpText('after', `\nExamples:\n${EXAMPLES.map((line) => `  ${line}`).join('\n')}`)
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell])
    })
  program
    .command('complete', { hidden: true })
    .description('what may stand in the place of the last word')
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const kind = kindAt(program, words)
      const ids = kind === null ? [] : await idsOf(kind, words)
      for (const word of [...completionsOf(program, words), ...ids]) process.stdout.write(`${word}\n`)
    })
}

/** Loaded where ids may stand: the other words are completed without the client. */
async function idsOf(kind: CompletedKind, words: readonly string[]): Promise<readonly string[]> {
  const { completedIds } = await import('../terminal/completed-ids.ts')
  return completedIds(kind, words)
}
