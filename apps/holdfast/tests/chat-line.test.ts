import { expect, test } from 'vitest'
import { chatHelp, readChatLine } from '../src/cli/terminal/chat-line.ts'

test('[CLI11] what begins with a slash and a word is a command, and all else is said', () => {
  expect(readChatLine('/help')).toEqual({ type: 'command', name: 'help', argument: '' })
  expect(readChatLine('/model  openai/gpt-5.2 ')).toEqual({
    type: 'command',
    name: 'model',
    argument: 'openai/gpt-5.2',
  })
  for (const message of ['/etc/passwd is readable, why?', '/demo cjk', '1/2', '/ what', '/Help', 'help'])
    expect(readChatLine(message)).toEqual({ type: 'say', message })
  expect(readChatLine(' /help')).toEqual({ type: 'say', message: '/help' })
  expect(readChatLine('  ')).toEqual({ type: 'nothing' })
})

test('[CLI11] a word that is no command is not said: a slip costs no message', () => {
  for (const word of ['modle', 'constructor', 'quit'])
    expect(readChatLine(`/${word} x`)).toEqual({ type: 'unknown', word })
})

test('[CLI11] the help names every command', () => {
  for (const name of ['help', 'new', 'model', 'mode', 'exit']) expect(chatHelp()).toMatch(new RegExp(`^/${name} `, 'm'))
})
