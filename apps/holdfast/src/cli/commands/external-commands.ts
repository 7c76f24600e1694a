import type { Command } from 'commander'
import type { ExternalAddOptions, ExternalOptions } from '../acts/external/external-agents.ts'
import type { ExternalChoicesOptions } from '../acts/external/external-choices.ts'

/** Adds the commands about agents that are programs of their own. They work with the running server, and without one. [CLI33] */
export function addExternalCommands(agents: Command, exit: (code: number) => void): void {
  const external = agents.command('external').description('look after agents that are programs of their own')
  withFolder(external.command('list'))
    .description(
      'one a line: name, id, where it is from, its command, and whether it is installed or how to install it',
    )
    .option('--json', 'each as a line of JSON', false)
    .action(async (options: ExternalOptions) => {
      const { listExternals } = await import('../acts/external/external-agents.ts')
      exit(await listExternals(options))
    })
  withFolder(external.command('add'))
    .description('add a program that speaks the Agent Client Protocol: add NAME -- COMMAND ARGS; nothing is started')
    .argument('<name>', 'its name for people')
    .argument('[command...]', 'the program and its arguments, after --')
    .option('--id <id>', 'its name in addresses; made of the name where it is left out')
    .option('--env <name=value...>', 'a variable for the program; its value is kept encrypted and never shown')
    .option('--json', 'print what was added as JSON', false)
    .action(async (name: string, command: readonly string[], options: ExternalAddOptions) => {
      const { addExternal } = await import('../acts/external/external-agents.ts')
      exit(await addExternal({ ...options, name, command }))
    })
  withFolder(external.command('test'))
    .description('start one, say its version, protocol, modes and sign-ins, and end it; no model is asked')
    .argument('<external>', 'its id, as the list shows it')
    .option('--json', 'print what was found as JSON', false)
    .action(async (id: string, options: ExternalOptions) => {
      const { testExternal } = await import('../acts/external/external-agents.ts')
      exit(await testExternal(id, options))
    })
  withFolder(external.command('choices'))
    .description('say who can pay for one, its modes and its models; it is started once to look, and no model is asked')
    .argument('<external>', 'its id, as the list shows it')
    .option('--paid-by <who>', 'for whom the models are: own, providers, or provider:ID')
    .option('--json', 'print them as JSON', false)
    .action(async (id: string, options: ExternalChoicesOptions) => {
      const { showChoices } = await import('../acts/external/external-choices.ts')
      exit(await showChoices(id, options))
    })
  withFolder(external.command('remove'))
    .description('remove one that was added; what was said with it stays')
    .argument('<external>', 'its id, as the list shows it')
    .option('--json', 'print what was removed as JSON', false)
    .action(async (id: string, options: ExternalOptions) => {
      const { removeExternal } = await import('../acts/external/external-agents.ts')
      exit(await removeExternal(id, options))
    })
}

function withFolder(command: Command): Command {
  return command.option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
}
