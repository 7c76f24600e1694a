import { changeConversation, reset } from './change-conversation.ts'
import type { ConversationEngine } from './conversation-engine.ts'
import { deleteConversation, eraseEntries } from './delete-conversation.ts'
import { previewErasure } from './erased-words.ts'
import { fork } from './fork.ts'
import type { Host, Hosts } from './hosts.ts'
import type { KnownContexts } from './known-contexts.ts'
import { listTools, listToolsOfNew } from './list-tools.ts'
import { rewind, selectPath } from './path-commands.ts'
import type { EnginePorts } from './ports.ts'

/** What the commands for whole conversations work with. */
export interface ConversationEngineDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  /** Told where entries were erased. */
  readonly contexts: Pick<KnownContexts, 'forget'>
  /** Does what the log of a host says now. The caller is a user of the host. */
  readonly wake: (host: Host) => void
}

/** Makes the part of the engine that works on conversations as a whole. */
export function createConversationEngine({ ports, hosts, contexts, wake }: ConversationEngineDeps): ConversationEngine {
  /** Carries out a command, then does what the log says. */
  function command<Answer>(conversationId: string, carryOut: (host: Host) => Promise<Answer>): Promise<Answer> {
    return hosts.use(conversationId, async (host) => {
      const answer = await carryOut(host)
      wake(host)
      return answer
    })
  }

  return {
    rewind: (asked) => command(asked.conversationId, ({ log }) => rewind(ports, log, asked)),
    selectPath: (asked) => command(asked.conversationId, ({ log }) => selectPath(ports, log, asked)),
    fork: (asked) => hosts.use(asked.conversationId, ({ log }) => fork({ ports, hosts, log }, asked)),
    reset: (asked) => command(asked.conversationId, ({ log }) => reset({ ports, hosts, log }, asked)),
    changeConversation: (asked) =>
      command(asked.conversationId, ({ log }) => changeConversation({ ports, hosts, log }, asked)),
    deleteConversation: (conversationId) =>
      hosts.use(conversationId, (host) => deleteConversation({ ports, hosts }, host)),
    eraseEntries: (erasure) =>
      command(erasure.conversationId, async (host) => {
        const erased = await eraseEntries(ports, host, erasure)
        contexts.forget(erasure.conversationId)
        return erased
      }),
    previewErasure: (named) => previewErasure(ports.store, named),
    listToolsOfNew: (asked) => listToolsOfNew(ports, asked),
    listTools: (conversationId) => hosts.use(conversationId, ({ log }) => listTools(ports, log)),
  }
}
