import { systemClock as clock } from '@holdfast/engine/system'
import { createPermissionRules, createToolRegistry, type ToolRegistry } from '@holdfast/tool'
import * as z from 'zod'

const Dice = z.object({ count: z.int().min(1).max(10) })

/** What the agent may do. A tool that no rule allows asks in the page first. */
export function createTools(): ToolRegistry {
  const permissions = createPermissionRules({ defaultPolicy: 'ask', rules: [{ effect: 'allow', tool: 'roll_dice' }] })
  const tools = createToolRegistry({ defaultToolTimeoutMs: 30_000, permissions, clock })
  tools.register(
    {
      name: 'roll_dice',
      description: 'Rolls dice with six sides and says what they show.',
      parameters: z.json().parse(z.toJSONSchema(Dice)),
      category: 'read',
      annotations: { readOnly: true, openWorld: false },
    },
    (input) => Array.from({ length: Dice.parse(input).count }, () => 1 + Math.floor(Math.random() * 6)).join(', '),
  )
  return tools
}
