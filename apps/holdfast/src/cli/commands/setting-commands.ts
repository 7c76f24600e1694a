import { Argument, type Command } from 'commander'
import { COMPLETED_KEYS } from '../acts/setting-keys.ts'
import type { SettingsOptions } from '../acts/settings.ts'

/** Adds the commands about the settings of the installation. They work with the running server, and without one. */
export function addSettingCommands(program: Command, exit: (code: number) => void): void {
  const settings = program.command('settings').description('look after the settings of the installation')
  withFolder(settings.command('list', { isDefault: true }))
    .description('say what is set, what it does and from where its value is')
    .option('--changed', 'only what is not as usual', false)
    .option('--json', 'print the answer as JSON', false)
    .action(async (options: SettingsOptions & { readonly changed: boolean; readonly json: boolean }) => {
      const { listSettings } = await import('../acts/settings.ts')
      exit(await listSettings(options))
    })
  withFolder(settings.command('get'))
    .description('print the value of one')
    .addArgument(keyArgument())
    .option('--json', 'print all that is known of it as JSON', false)
    .action(async (key: string, options: SettingsOptions & { readonly json: boolean }) => {
      const { getSetting } = await import('../acts/settings.ts')
      exit(await getSetting(key, options))
    })
  withFolder(settings.command('set'))
    .description('set some: holdfast settings set stepsPerRun 100, or several as key=value; all of them hold or none')
    .addArgument(keyArgument())
    .argument('[value]', 'its value, such as 100, 0.5, low, true')
    .argument('[more...]', 'further ones, as key=value')
    .action(async (key: string, value: string | undefined, more: readonly string[], options: SettingsOptions) => {
      const { setSettings } = await import('../acts/settings.ts')
      exit(await setSettings([key, ...(value === undefined ? [] : [value]), ...more], options))
    })
  withFolder(settings.command('reset'))
    .description('give some their default back')
    .addArgument(new Argument('<key...>', 'their names').choices(COMPLETED_KEYS))
    .action(async (keys: readonly string[], options: SettingsOptions) => {
      const { resetSettings } = await import('../acts/settings.ts')
      exit(await resetSettings(keys, options))
    })
}

function keyArgument(): Argument {
  const argument = new Argument('<key>', 'its name, as the list shows it')
  // Completed and not checked: the server says what there is, with words.
  argument.argChoices = [...COMPLETED_KEYS]
  return argument
}

function withFolder(command: Command): Command {
  return command.option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
}
