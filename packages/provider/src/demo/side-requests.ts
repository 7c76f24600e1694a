import type { ModelRequest } from '../model-port.ts'
import { type DemoScenario, say } from './demo-act.ts'
import { saidByPeople } from './read-request.ts'

/** Most characters of a title. */
const TITLE_CHARS = 60

/** The answer to a request for a title: the first words of the first thing that a person said. */
export function titleScenario(request: ModelRequest): DemoScenario {
  const said = saidByPeople(request)
  const isSlow = said.some((words) => words.startsWith('/demo title-slow'))
  return { ...side('title', titleOf(said[0] ?? '')), tokensPerSecond: isSlow ? 1 : 120 }
}

/** The answer to a request for a summary, in the form that is asked for. */
export function summaryScenario(request: ModelRequest): DemoScenario {
  const said = saidByPeople(request)
  const tools = request.messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.blocks.flatMap((block) => (block.type === 'tool-call' ? [block.name] : []))
      : [],
  )
  const called = [...new Set(tools)].map((tool) => `\`${tool}\``).join(', ')
  const lines = [
    '## Goals',
    ...said.slice(0, 5).map((words) => `- ${shortened(words, 200)}`),
    '',
    '## State',
    `- People said ${said.length} things; ${called === '' ? 'no tool was called' : `${tools.length} calls were made: ${called}`}.`,
    '- This summary was counted by a script, not written by a model: it does not know what was meant.',
  ]
  return side('summary', lines.join('\n'))
}

function side(name: string, text: string): DemoScenario {
  return { name, shows: '', tokensPerSecond: 600, reportsUsage: true, needs: [], acts: () => [say(text)] }
}

function titleOf(words: string): string {
  const scenario = /^\/demo\s+(\S+)/.exec(words)?.[1]
  if (scenario !== undefined) return `Demo: ${scenario}`
  return shortened(words, TITLE_CHARS) || 'Demo'
}

/** The first line, cut between words. */
function shortened(words: string, mostChars: number): string {
  const [line = ''] = words.trim().split('\n')
  if (line.length <= mostChars) return line
  const cut = line.slice(0, mostChars).toWellFormed()
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`
}
