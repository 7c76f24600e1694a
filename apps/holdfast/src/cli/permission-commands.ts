import type { Command } from 'commander'
import type { RulesOptions } from './permissions.ts'

/** Adds the commands about what a person allowed. They work with the running server, and without one. */
export function addPermissionCommands(program: Command, exit: (code: number) => void): void {
  const permissions = program.command('permissions').description('look after what you allowed and denied for good')
  withPlace(permissions.command('list'))
    .description('the rules that you gave; those of holdfast.json are in that file')
    .option('--json', 'print them as JSON', false)
    .action(async (options: RulesOptions & { readonly json: boolean }) => {
      const { listRules } = await import('./permissions.ts')
      exit(await listRules(options))
    })
  withPlace(permissions.command('revoke'))
    .description('take rules back; what ran stays, what comes asks again')
    .argument('<rule...>', 'ids, as the list shows them')
    .action(async (ruleIds: readonly string[], options: RulesOptions) => {
      const { revokeRules } = await import('./permissions.ts')
      exit(await revokeRules(ruleIds, options))
    })
}

function withPlace(command: Command): Command {
  return command
    .option('--conversation <id>', 'the rules of this conversation alone, instead of those for all')
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
}
