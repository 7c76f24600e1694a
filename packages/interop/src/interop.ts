import type { EnginePorts, LiveBus } from '@holdfast/engine'
import type { ApiDeps } from '@holdfast/server'
import { bindAgUi } from './ag-ui/run-routes.ts'
import { bindAiSdk } from './ai-sdk/chat-routes.ts'
import { bindMcp } from './mcp/mcp-routes.ts'
import { bindOpenAi } from './openai/completion-routes.ts'
import { createClientTools } from './responses/client-tools.ts'
import { bindResponses } from './responses/response-routes.ts'
import { bindStreams } from './streams/stream-routes.ts'

/** All foreign protocols of a server. */
export interface Interop {
  /** Serves each of them. */
  readonly mounts: readonly ((api: ApiDeps) => void)[]
  /** The tools of conversations, with those that clients bring. */
  toolsOver(toolsOf: EnginePorts['toolsOf']): EnginePorts['toolsOf']
}

/** Puts the foreign protocols together. The engine has to be given the tools that it says, else clients bring theirs in vain. */
export function createInterop({ bus }: { readonly bus: Pick<LiveBus, 'subscribe'> }): Interop {
  const clientTools = createClientTools({ bus })
  return {
    mounts: [bindAiSdk, bindOpenAi, bindResponses(clientTools), bindAgUi, bindStreams, bindMcp],
    toolsOver: clientTools.over,
  }
}
