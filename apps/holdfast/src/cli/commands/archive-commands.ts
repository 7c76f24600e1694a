import { type Command, Option } from 'commander'
import type { ExportCommandOptions } from '../acts/export-conversations.ts'
import type { ImportFoundOptions } from '../archive/import-found.ts'

/** Adds the commands that bring other programs' logs in, and conversations out. */
export function addArchiveCommands(program: Command, exit: (code: number) => void): void {
  program
    .command('import')
    .description('bring in logs and exports of other programs; again brings only what is new')
    .argument('[path...]', 'files, zip archives, folders; "-" reads one file from stdin')
    .option(
      '--found [program]',
      'what other programs have left in your home: lists it, and asks; of one, such as codex',
    )
    .option('--yes', 'with --found: do not ask', false)
    .option('--from <format>', 'take only this format, such as claude-code, chatgpt or aider; refuse any other')
    .option('--since <date>', 'leave out conversations that began before, such as 2026-01-31')
    .option('--dry-run', 'read everything, write nothing, and say what would be there', false)
    .option('--json', 'print the report as JSON', false)
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .addHelpText(
      'after',
      '\nExamples:\n  holdfast import --found\n  holdfast import ~/.claude/projects\n  holdfast import chatgpt-export.zip',
    )
    .action(async (paths: readonly string[], options: ImportFoundOptions) => {
      if (options.found !== undefined) {
        const { importFound } = await import('../archive/import-found.ts')
        return exit(await importFound(paths, options))
      }
      const { importPaths } = await import('../archive/import-paths.ts')
      exit(await importPaths(paths, options))
    })
  program
    .command('export')
    .description('write conversations as files')
    .argument('[conversation...]', 'ids, beginnings that no other has, or last: the newest')
    .option('--all', 'every conversation, archived ones too', false)
    .addOption(
      new Option('--format <format>', 'json holds everything and can be imported again; the others are for people')
        .choices(['json', 'md', 'html'])
        .default('json'),
    )
    .option('--no-tools', 'of md and html: leave out calls of tools and what they returned')
    .option('--thinking', 'of md and html: with thinking', false)
    .option('--set-aside', 'of md and html: with branches that were set aside', false)
    .option('--usage', 'of md and html: with tokens and costs', false)
    .option('--no-attachments', 'leave out files and pictures')
    .option('--redact', 'mask what looks like a key, an e-mail address or a home folder, and leave files out', true)
    .option('--no-redact', 'do not mask what looks like a key, an e-mail address or a home folder, and keep files')
    .option('--since <date>', 'with --all: only what was said something in since, such as 2026-01-31')
    .option('--out <path>', 'a file, or a folder for several conversations; "-" is stdout', '-')
    .option('--force', 'replace files that are there', false)
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .addHelpText(
      'after',
      '\nExamples:\n  holdfast export --all --no-redact --out backup/\n  holdfast export ID --format md > talk.md',
    )
    .action(async (ids: readonly string[], options: ExportCommandOptions) => {
      const { exportConversations } = await import('../acts/export-conversations.ts')
      exit(await exportConversations(ids, options))
    })
}
