import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { textAnswer } from '../files/file-answer.ts'

const MARKS = { open: '[ ]', doing: '[>]', done: '[x]' } as const
const MOST_TASKS = 100

const Input = z.object({
  tasks: z
    .array(z.object({ text: z.string().trim().min(1).max(500), state: z.enum(['open', 'doing', 'done']) }))
    .max(MOST_TASKS)
    .refine((tasks) => tasks.filter(({ state }) => state === 'doing').length <= 1, 'More than one task is doing'),
})

/**
 * The list of tasks of a conversation. The whole list is in every call and every answer, so it lives in the log
 * and nowhere else.
 */
export function createTodoTool(): Tool {
  return defineTool({
    name: 'todo',
    description:
      'Writes down the list of tasks of this conversation, for work of several steps. Always give the whole list: it replaces the one before. One task at most is doing.',
    input: Input,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { tasks: 'plain' },
    timeoutMs: 5_000,
    run: ({ tasks }) => {
      if (tasks.length === 0) return textAnswer('The list of tasks is empty.')
      const done = tasks.filter(({ state }) => state === 'done').length
      const lines = tasks.map(({ text, state }) => `${MARKS[state]} ${text.replace(/\s+/g, ' ')}`)
      return textAnswer(`${done} of ${tasks.length} tasks are done.\n${lines.join('\n')}`)
    },
  })
}
