import { SUB_AGENT_TOOL } from '../parts/simulated-tools.ts'
import type { PlantedBug } from './planted-bug.ts'
import { changedEntries } from './planted-store.ts'

/** Bugs of tasks that agents give to others, which the simulation must find where they do. */
export const PLANTED_SUB_AGENT_BUGS: readonly PlantedBug[] = [
  {
    name: 'does not say which conversation a call began',
    store: changedEntries((entry) => {
      if (entry.type !== 'tool-call-started' || entry.childConversationId === undefined) return [entry]
      const { childConversationId: _, ...alone } = entry
      return [alone]
    }),
  },
  {
    name: 'stops a call and not the agent that it runs',
    engine: (engine) => ({
      ...engine,
      stopRun: async (command) =>
        command.actor.type === 'agent' ? { runId: null, accepted: false } : engine.stopRun(command),
    }),
  },
  {
    name: 'leaves a task waiting whose caller is gone',
    store: changedEntries((entry) => (entry.type === 'input-removed' && entry.actor.type === 'engine' ? [] : [entry])),
  },
  {
    name: 'closes a caller and lets its agents go on',
    store: changedEntries((entry) => (entry.type === 'stop-requested' && entry.actor.type === 'engine' ? [] : [entry])),
  },
  {
    name: 'answers for an agent that still works',
    tool: (tool) => ({
      ...tool,
      run(input, context) {
        if (tool.definition.name !== SUB_AGENT_TOOL) return tool.run(input, context)
        void tool.run(input, context)
        return 'It is done.'
      },
    }),
  },
]
