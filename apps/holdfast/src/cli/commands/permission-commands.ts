import { type Command, Option } from 'commander'
import type { ConversationOptions, RuleOptions } from '../acts/permissions.ts'

/** Adds the commands about rules for calls. They work with the running server, and without one. */
export function addPermissionCommands(program: Command, exit: (code: number) => void): void {
  const permissions = program.command('permissions').description('look after the rules for calls of tools')
  withFolder(permissions.command('list'))
    .description('say which rules hold; those of holdfast.json are in that file')
    .option('--conversation <id>', 'the rules of this conversation instead of those for all')
    .option('--json', 'print the answer as JSON', false)
    .action(async (options: ConversationOptions & { readonly json: boolean }) => {
      const { listRules } = await import('../acts/permissions.ts')
      exit(await listRules(options))
    })
  withFolder(permissions.command('revoke'))
    .description('take rules back; what ran stays, what comes asks again')
    .option('--conversation <id>', 'rules of this conversation instead of those for all')
    .argument('<id...>', 'ids, as the list shows them')
    .action(async (ids: readonly string[], options: ConversationOptions) => {
      const { revokeRules } = await import('../acts/permissions.ts')
      exit(await revokeRules(ids, options))
    })
  withFolder(permissions.command('suggest'))
    .description('say which rules would have given the answers that you gave several times')
    .option('--conversation <id>', 'only by the answers in this conversation')
    .option('--json', 'print the answer as JSON', false)
    .action(async (options: ConversationOptions & { readonly json: boolean }) => {
      const { suggestRules } = await import('../acts/permissions.ts')
      exit(await suggestRules(options))
    })
  withRule(permissions.command('try'))
    .description('say what a rule would have done to past calls; it holds nowhere by that')
    .option('--conversation <id>', 'only the calls of this conversation, under its own rules')
    .option('--json', 'print the answer as JSON', false)
    .action(async (tool: string, pattern: string | undefined, options: RuleOptions & { readonly json: boolean }) => {
      const { tryRule } = await import('../acts/permissions.ts')
      exit(await tryRule({ tool, pattern: pattern ?? null }, options))
    })
  withRule(permissions.command('add'))
    .description('add a rule for all conversations')
    .action(async (tool: string, pattern: string | undefined, options: RuleOptions) => {
      const { addRule } = await import('../acts/permissions.ts')
      exit(await addRule({ tool, pattern: pattern ?? null }, options))
    })
}

function withRule(command: Command): Command {
  return withFolder(command)
    .argument('<tool>', "the exact name of a tool, such as shell; '*' for every one")
    .argument('[pattern]', "only such calls: 'npm test *', 'src/**', 'https://example.com/*'")
    .addOption(new Option('--then <effect>', 'what becomes of them').choices(['allow', 'ask', 'deny']).default('allow'))
    .addOption(
      new Option('--category <category...>', 'only tools of these: read, edit, execute, network, other').choices([
        'read',
        'edit',
        'execute',
        'network',
        'other',
      ]),
    )
    .addOption(
      new Option('--annotation <name=value...>', 'only tools of which this is so, such as destructive=false').choices(
        ['readOnly', 'destructive', 'idempotent', 'openWorld'].flatMap((name) => [`${name}=true`, `${name}=false`]),
      ),
    )
}

function withFolder(command: Command): Command {
  return command.option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
}
