import { expect, test } from 'vitest'
import { serverAt } from '../src/settings/server-at.ts'

test('[UI15] a server that is connected by its address has a name that tells it', () => {
  expect(serverAt('http://127.0.0.1:11434/v1')).toEqual({ id: 'ollama', name: 'Ollama' })
  expect(serverAt('http://10.0.0.5:1234')).toEqual({ id: 'lm-studio', name: 'LM Studio' })
  expect(serverAt('http://127.0.0.1:40161/v1')).toEqual({ id: 'local-40161', name: '127.0.0.1:40161' })
  expect(serverAt('https://models.example.org/v1')).toEqual({ id: 'models-example-org', name: 'models.example.org' })
})
