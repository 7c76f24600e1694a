import { type Command, Option } from 'commander'
import type { AgentsOptions } from '../acts/agents.ts'
import type { ChatOptions } from '../acts/chat.ts'
import type { ListOptions } from '../acts/conversations.ts'
import type { FollowOptions } from '../acts/follow.ts'
import type { ModelsOptions } from '../acts/models.ts'
import type { PresetsOptions } from '../acts/presets.ts'
import type { ReachOptions } from '../reach/reach-server.ts'
import { MODES } from '../terminal/chat-line.ts'
import { addExternalCommands } from './external-commands.ts'
import { WORKSPACE_OPTION } from './workspace-commands.ts'

/** Adds the commands that talk in the terminal. What they do is loaded with them: the others start without the client. */
export function addChatCommands(program: Command, exit: (code: number) => void): void {
  withOptions(program.command('chat'))
    .description('talk in the terminal; Ctrl+C stops the reply and keeps it')
    .argument('[message...]', 'what to say; what is piped in belongs to it; without both, one message after another')
    .option('-c, --continue', 'go on with the newest conversation')
    .action(async (words: readonly string[], options: ChatOptions) => {
      const { chat } = await import('../acts/chat.ts')
      exit(await chat(words, options))
    })
  withOptions(program.command('run'))
    .description(
      'answer one message and end: 0 completed, 1 failed, 3 a call was denied and nobody was there, 130 stopped',
    )
    .argument('[prompt...]', 'what to do; what is piped in belongs to it')
    .action(async (words: readonly string[], options: ChatOptions) => {
      const { run } = await import('../acts/chat.ts')
      exit(await run(words, options))
    })
  program
    .command('follow')
    .description('show a conversation of the running server as it goes on, until Ctrl+C; nothing is asked or stopped')
    .argument('[conversation]', 'its id, a beginning of it that no other has, or last, the newest, as without it')
    .option('--all', 'begin with the conversation; without it, with its newest message', false)
    .option('--json', 'print every event as a line of JSON', false)
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .action(async (id: string | undefined, options: Omit<FollowOptions, 'detect'>) => {
      const { follow } = await import('../acts/follow.ts')
      exit(await follow(id, { ...options, detect: false }))
    })
  program
    .command('acp')
    .description('serve an editor over stdin and stdout as an agent of the Agent Client Protocol, until it is gone')
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .option('--no-detect', 'do not look for servers of models on this computer')
    .action(async (options: ReachOptions) => {
      const { acp } = await import('../acp/acp.ts')
      exit(await acp(options))
    })
}

/** Adds what lists what can be named in a command. */
export function addListCommands(program: Command, exit: (code: number) => void): void {
  program
    .command('list')
    .description('conversations, newest change first: id, time, title')
    .option('--archived', 'the archived ones instead', false)
    .option('--json', 'each as a line of JSON', false)
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .action(async (options: ListOptions) => {
      const { listConversations } = await import('../acts/conversations.ts')
      exit(await listConversations(options))
    })
  program
    .command('models')
    .description('the models that may be chosen: id, name, window')
    .option('--json', 'each as a line of JSON', false)
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .option('--no-detect', 'do not look for servers of models on this computer')
    .action(async (options: ModelsOptions) => {
      const { listModels } = await import('../acts/models.ts')
      exit(await listModels(options))
    })
}

/** Adds what is said of agents. */
export function addAgentCommands(program: Command, exit: (code: number) => void): void {
  const agents = program.command('agents').description('the agents that may be chosen')
  addExternalCommands(agents, exit)
  agents
    .command('list')
    .description('one a line: name, id, where it is from, its model, what it is for')
    .option('--json', 'each as a line of JSON', false)
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .option('--no-detect', 'do not look for servers of models on this computer')
    .action(async (options: AgentsOptions) => {
      const { listAgents } = await import('../acts/agents.ts')
      exit(await listAgents(options))
    })
}

/** Adds what is said of presets. */
export function addPresetCommands(program: Command, exit: (code: number) => void): void {
  program
    .command('presets')
    .description('named settings that conversations may begin with')
    .command('list')
    .description('one a line: id, name, where it is from, what it is for, what it sets')
    .option('--json', 'each as a line of JSON', false)
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .action(async (options: PresetsOptions) => {
      const { listPresets } = await import('../acts/presets.ts')
      exit(await listPresets(options))
    })
}

function withOptions(command: Command): Command {
  return command
    .option('--agent <name>', 'the agent that answers, by name or id, as `holdfast agents list` shows it')
    .option('--model <id>', 'the model that answers, as `holdfast models` shows it')
    .option(
      '--preset <name>',
      'what a new conversation begins with, by name or id, as `holdfast presets list` shows it',
    )
    .option('--worktree', 'a new conversation works in a git worktree of its own')
    .option('--mention <what...>', 'goes along: file:PATH, file:PATH:3-9, agent:NAME, tool:NAME or conversation:ID')
    .addOption(new Option('--permission-mode <mode>', 'what may be done without asking').choices(MODES))
    .option('--agent-mode <id>', 'of an external agent: its own mode, as `holdfast agents external choices` shows it')
    .option('--agent-model <id>', 'of an external agent: its model, as shown there')
    .option('--paid-by <who>', 'of an external agent: own, providers, or provider:ID, as shown there')
    .option('--json', 'print every event as a line of JSON', false)
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .option(WORKSPACE_OPTION, 'where agents may read, edit and run commands: a folder, or a workspace by id or name')
    .option('--no-detect', 'do not look for servers of models on this computer')
}
