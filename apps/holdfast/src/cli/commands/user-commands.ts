import { type Command, Option } from 'commander'
import type { FolderOptions } from '../acts/store-commands.ts'
import type { PasswordOptions } from '../acts/users.ts'

/** Adds the commands about people with accounts. They work with the running server, and without one. */
export function addUserCommands(program: Command, exit: (code: number) => void): void {
  const user = program.command('user').description('look after the people who have accounts')
  withFolder(user.command('list'))
    .description('say who has an account')
    .option('--json', 'print the rows as JSON', false)
    .action(async (options: FolderOptions & { readonly json: boolean }) =>
      exit(await (await users()).listUsers(options)),
    )
  withPassword(user.command('add'))
    .description('give someone an account; the first one is an admin')
    .argument('<email>')
    .option('--name <name>', 'what others see')
    .addOption(new Option('--role <role>').choices(['user', 'admin']).default('user'))
    .action(
      async (email: string, options: PasswordOptions & { readonly name?: string; readonly role: 'user' | 'admin' }) =>
        exit(await (await users()).addUser(email, options)),
    )
  withPassword(user.command('reset-password'))
    .description('give someone another password; all their sessions end')
    .argument('<email>')
    .action(async (email: string, options: PasswordOptions) =>
      exit(await (await users()).resetPassword(email, options)),
    )
  withFolder(user.command('role'))
    .description('make someone an admin, or a user again')
    .argument('<email>')
    .addArgument(program.createArgument('<role>').choices(['user', 'admin']))
    .action(async (email: string, role: 'user' | 'admin', options: FolderOptions) =>
      exit(await (await users()).changeUser(email, { role }, options)),
    )
  withFolder(user.command('budget'))
    .description('set what someone may spend over all their conversations, or take that away')
    .argument('<email>')
    .argument('<amount>', 'in US dollars, or "none"')
    .addOption(program.createOption('--per <period>', 'a calendar day or month, in UTC').choices(['day', 'month']))
    .addHelpText(
      'after',
      '\nExamples:\n  holdfast user budget ada@example.org 20\n  holdfast user budget ada@example.org none',
    )
    .action(async (email: string, amount: string, options: FolderOptions & { readonly per?: 'day' | 'month' }) =>
      exit(await (await users()).setBudget(email, amount, options)),
    )
  withFolder(user.command('disable'))
    .description('take away every way in; what belongs to the person stays')
    .argument('<email>')
    .action(async (email: string, options: FolderOptions) =>
      exit(await (await users()).changeUser(email, { disabled: true }, options)),
    )
  withFolder(user.command('enable'))
    .description('let someone in again')
    .argument('<email>')
    .action(async (email: string, options: FolderOptions) =>
      exit(await (await users()).changeUser(email, { disabled: false }, options)),
    )
}

/** Loaded with the first command that needs it. */
function users() {
  return import('../acts/users.ts')
}

function withFolder(command: Command): Command {
  return command.option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
}

function withPassword(command: Command): Command {
  return withFolder(command).option('--password-stdin', 'read the password from standard input, instead of making one')
}
