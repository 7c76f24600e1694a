import { claudeBindsThinking, hideSecrets } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { openAnthropic, openChat } from './support/adapters.ts'

describe('whether thinking is bound', () => {
  it.each([
    ['claude-opus-5-5', true],
    ['claude-fable-5-1', true],
    ['us.anthropic.claude-sonnet-5-5-v1:0', true],
    ['a-model-of-tomorrow', true],
    ['claude-opus-45', true],
    ['claude-sonnet-4-5', false],
    ['anthropic.claude-opus-4-1-20250805-v1:0', false],
    ['claude-3-7-sonnet-20250219', false],
  ])('[REQ4] is known of %s by its name: %s', (modelId, binds) => {
    expect(claudeBindsThinking(modelId)).toBe(binds)
  })

  it('[REQ4] is said by every port, also behind one that hides its keys', () => {
    const url = 'http://127.0.0.1:9'
    expect(hideSecrets(openAnthropic(url), ['secret']).bindsThinking?.('claude-opus-5-5')).toBe(true)
    expect(openAnthropic(url).bindsThinking?.('claude-sonnet-4-5')).toBe(false)
    expect(openChat(url, { reasoningReplay: 'reasoning_content' }).bindsThinking?.('kimi')).toBe(false)
    expect(openChat(url, { reasoningReplay: 'reasoning_details' }).bindsThinking?.('anthropic/claude-opus-5.5')).toBe(
      true,
    )
  })
})
