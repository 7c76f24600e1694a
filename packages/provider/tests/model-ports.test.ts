import { describeModelPort } from '@holdfast/provider/testing'
import { openAnthropic, openChat } from './support/adapters.ts'
import { ANTHROPIC_WIRE } from './support/anthropic-wire.ts'
import { CHAT_WIRE } from './support/chat-wire.ts'

describeModelPort('anthropic', { speaksItself: true, wire: ANTHROPIC_WIRE, open: openAnthropic })
describeModelPort('openai-chat', { speaksItself: true, wire: CHAT_WIRE, open: (baseUrl) => openChat(baseUrl) })
