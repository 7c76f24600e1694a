import { type Command, Option } from 'commander'
import type { EditScheduleOptions, NewScheduleOptions, ScheduleOptions } from '../acts/schedules.ts'
import { dollarsOf, dollarsOrNone, minutesOf } from '../terminal/amounts.ts'
import { WORKSPACE_OPTION } from './workspace-commands.ts'

/** Adds the commands about schedules. */
export function addScheduleCommands(program: Command, exit: (code: number) => void): void {
  const schedule = program.command('schedule').description('what agents do at set times')
  usual(schedule.command('list'))
    .description('list them: id, name, rule, next run, last result; times in UTC')
    .action(async (options: ScheduleOptions) => {
      const { listSchedules } = await import('../acts/schedules.ts')
      exit(await listSchedules(options))
    })
  wishes(usual(schedule.command('add')))
    .description('make one that asks this')
    .argument('<text>', 'what is asked')
    .option('--budget <dollars>', 'what each run may cost', dollarsOf('--budget'))
    .option('--day-budget <dollars>', 'what its runs of a day may cost', dollarsOf('--day-budget'))
    .option('--month-budget <dollars>', 'what its runs of a month may cost', dollarsOf('--month-budget'))
    .action(async (text: string, options: NewScheduleOptions) => {
      const { addSchedule } = await import('../acts/schedules.ts')
      exit(await addSchedule(text, options))
    })
  wishes(usual(schedule.command('edit')))
    .description('change what is said here of one; what is left out stays, and none takes away')
    .argument('<schedule>', MEANT)
    .option('--text <text>', 'what is asked')
    .option('--budget <dollars>', 'what each run may cost, or none', dollarsOrNone('--budget'))
    .option('--day-budget <dollars>', 'what its runs of a day may cost, or none', dollarsOrNone('--day-budget'))
    .option('--month-budget <dollars>', 'what its runs of a month may cost, or none', dollarsOrNone('--month-budget'))
    .action(async (name: string, options: EditScheduleOptions) => {
      const { editSchedule } = await import('../acts/schedules.ts')
      exit(await editSchedule(name, options))
    })
  usual(schedule.command('secret'))
    .description('a new address and secret for calls that set one off; those before end')
    .argument('<schedule>', MEANT)
    .action(async (name: string, options: ScheduleOptions) => {
      const { renewSecret } = await import('../acts/schedules.ts')
      exit(await renewSecret(name, options))
    })
  usual(schedule.command('run'))
    .description('run one now, beside its rule')
    .argument('<schedule>', MEANT)
    .action(async (name: string, options: ScheduleOptions) => {
      const { runSchedule } = await import('../acts/schedules.ts')
      exit(await runSchedule(name, options))
    })
  usual(schedule.command('stop'))
    .description('stop what runs of one now; its rule goes on')
    .argument('<schedule>', MEANT)
    .action(async (name: string, options: ScheduleOptions) => {
      const { stopSchedule } = await import('../acts/schedules.ts')
      exit(await stopSchedule(name, options))
    })
  for (const [word, isOn] of [['pause', false] as const, ['resume', true] as const])
    usual(schedule.command(word))
      .description(isOn ? 'let one go on; what passed meanwhile was not missed' : 'let one rest')
      .argument('<schedule>', MEANT)
      .action(async (name: string, options: ScheduleOptions) => {
        const { switchSchedule } = await import('../acts/schedules.ts')
        exit(await switchSchedule(name, isOn, options))
      })
  usual(schedule.command('remove'))
    .description('remove one; its conversations stay')
    .argument('<schedule>', MEANT)
    .action(async (name: string, options: ScheduleOptions) => {
      const { removeSchedule } = await import('../acts/schedules.ts')
      exit(await removeSchedule(name, options))
    })
  usual(schedule.command('history'))
    .description('what became of its runs, the newest first, with what they cost; times in UTC')
    .argument('<schedule>', MEANT)
    .action(async (name: string, options: ScheduleOptions) => {
      const { scheduleHistory } = await import('../acts/schedules.ts')
      exit(await scheduleHistory(name, options))
    })
}

const MEANT = 'its id, a beginning of it, or its name'

/** What may be said of a schedule, of a new one and of one that is there. */
function wishes(command: Command): Command {
  return command
    .option('--cron <expression>', 'five fields: minute, hour, day of the month, month, day of the week')
    .option('--rrule <text>', 'a rule of RFC 5545')
    .option('--at <time>', 'once, such as 2026-03-29T02:30')
    .option('--hook', 'when its address is called; address and secret are printed once')
    .option('--after-schedule <schedule>', 'when another has run')
    .option('--after-conversation <id>', 'when this conversation is answered, once')
    .option('--folder <path>', 'when files in this folder of the workspace change; . for all of it')
    .option(WORKSPACE_OPTION, 'where it works, by id, name or folder; that of the start where it is absent')
    .option('--zone <name>', 'the time zone; that of this computer where it is absent')
    .option('--jitter <minutes>', 'every run is later by up to so many minutes, always by the same delay', minutesOf)
    .option('--name <name>', 'what it is called')
    .option('--agent <id>', 'who answers')
    .option('--model <id>', 'the model that answers')
    .option('--preset <id>', 'what each new conversation begins with')
    .option('--target <id>', 'the conversation that all runs answer in; new for one of its own each time')
    .addOption(
      new Option('--unattended <what>', 'what becomes of calls that would ask').choices(['deny', 'allow-list', 'full']),
    )
    .option(
      '--allow <call>',
      'with --unattended allow-list: a tool, or in quotes a tool and a pattern; may be repeated',
      more,
    )
    .addOption(
      new Option(
        '--missed <what>',
        'runs that were missed: the newest is made up for, none, or all up to a limit',
      ).choices(['once', 'skip', 'all']),
    )
    .addOption(
      new Option('--overlap <what>', 'while a run is open: skip the next, let it wait, or run it beside').choices([
        'skip',
        'queue',
        'parallel',
      ]),
    )
}

function more(call: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), call]
}

function usual(command: Command): Command {
  return command
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .option('--json', 'each as a line of JSON', false)
}
