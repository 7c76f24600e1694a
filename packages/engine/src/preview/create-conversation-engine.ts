import type { ConversationEngine } from '../api/conversation-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { changeConversation, reset } from '../commands/change-conversation.ts'
import { deleteConversation, eraseEntries } from '../commands/delete-conversation.ts'
import { previewErasure } from '../commands/erased-words.ts'
import { fork } from '../commands/fork.ts'
import { rewind, selectPath } from '../commands/path-commands.ts'
import type { CarryOutCommand, Hosts } from '../log/hosts.ts'
import type { KnownContexts } from './known-contexts.ts'
import { listTools, listToolsOfNew } from './list-tools.ts'

/** What the commands for whole conversations work with. */
export interface ConversationEngineDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  /** Told where entries were erased. */
  readonly contexts: Pick<KnownContexts, 'forget'>
  readonly command: CarryOutCommand
}

/** Makes the part of the engine that works on conversations as a whole. */
export function createConversationEngine({
  ports,
  hosts,
  contexts,
  command,
}: ConversationEngineDeps): ConversationEngine {
  return {
    rewind: (asked) => command(asked, ({ log }) => rewind(ports, log, asked)),
    selectPath: (asked) => command(asked, ({ log }) => selectPath(ports, log, asked)),
    fork: (asked) => hosts.use(asked.conversationId, ({ log }) => fork({ ports, hosts, log }, asked)),
    reset: (asked) => command(asked, ({ log }) => reset({ ports, hosts, log }, asked)),
    changeConversation: (asked) => command(asked, ({ log }) => changeConversation({ ports, hosts, log }, asked)),
    deleteConversation: (conversationId) =>
      hosts.use(conversationId, (host) => deleteConversation({ ports, hosts }, host)),
    eraseEntries: (erasure) =>
      command(erasure, async (host) => {
        const erased = await eraseEntries(ports, host, erasure)
        contexts.forget(erasure.conversationId)
        return erased
      }),
    previewErasure: (named) => previewErasure(ports.store, named),
    listToolsOfNew: (asked) => listToolsOfNew(ports, asked),
    listTools: (conversationId) => hosts.use(conversationId, ({ log }) => listTools(ports, log)),
  }
}
