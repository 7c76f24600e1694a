import type { Command } from 'commander'
import type { MemoriesOptions } from '../acts/memories.ts'

/** Adds the commands about what agents remember. They work with the running server, and without one. */
export function addMemoryCommands(program: Command, exit: (code: number) => void): void {
  const memories = program.command('memories').description('look after what agents remember of you')
  withFolder(memories.command('list'))
    .description('say what is remembered, the newest first')
    .argument('[words...]', 'only what holds these words, the best first')
    .option('--json', 'print the answer as JSON; the page can import it', false)
    .action(async (words: readonly string[], options: MemoriesOptions & { readonly json: boolean }) => {
      const { listMemories } = await import('../acts/memories.ts')
      exit(await listMemories(words.join(' '), options))
    })
  withFolder(memories.command('delete'))
    .description('forget memories for good')
    .argument('[id...]', 'ids, as the list shows them')
    .option('--all', 'forget everything', false)
    .action(async (ids: readonly string[], options: MemoriesOptions & { readonly all: boolean }) => {
      const { deleteMemories } = await import('../acts/memories.ts')
      exit(await deleteMemories(ids, options))
    })
}

function withFolder(command: Command): Command {
  return command.option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
}
