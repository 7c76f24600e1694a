import type { Command } from 'commander'
import type { FolderOptions } from '../acts/store-commands.ts'

/** Adds the command about the start-up token. It works with the running server, and without one. */
export function addTokenCommands(program: Command, exit: (code: number) => void): void {
  program
    .command('token')
    .description('look after the start-up token')
    .command('rotate')
    .description('make another token: the old one, and every browser that is signed in, open nothing any more')
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .action(async (options: FolderOptions) => {
      const { rotateToken } = await import('../acts/rotate-token.ts')
      exit(await rotateToken(options))
    })
}
