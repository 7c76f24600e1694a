import { describe, expect, it } from 'vitest'
import { ConfigFile } from '../src/config-file-schema.ts'
import { secretsOf } from '../src/providers/provider-setup.ts'
import { readSetups } from '../src/providers/read-setups.ts'

function setups(variables: Readonly<Record<string, string>>, file: ConfigFile = {}) {
  return readSetups(ConfigFile.parse(file), (name) => variables[name])
}

const summary = (variables: Readonly<Record<string, string>>, file: ConfigFile = {}) =>
  setups(variables, file).map(({ providerId, type, baseUrl }) => [providerId, type, baseUrl])

const AWS = { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'secret-1', AWS_REGION: 'eu-west-1' }

describe('the providers', () => {
  it('[SEC4] are none where nothing is set', () => {
    expect(setups({})).toEqual([])
    expect(setups({ OPENAI_BASE_URL: 'https://models.example.org' })).toEqual([])
  })

  it.each([
    [{ ANTHROPIC_API_KEY: 'k' }, ['anthropic', 'anthropic', 'https://api.anthropic.com']],
    [
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/v1' },
      ['anthropic', 'anthropic', 'http://127.0.0.1:1/v1'],
    ],
    [{ OPENAI_API_KEY: 'k' }, ['openai', 'openai-responses', 'https://api.openai.com']],
    [{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://h/v1' }, ['openai', 'openai-chat', 'https://h/v1']],
    [{ OPENAI_BASE_URL: 'http://localhost:8000' }, ['openai', 'openai-chat', 'http://localhost:8000']],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, ['google', 'google', 'https://generativelanguage.googleapis.com/v1beta']],
    [AWS, ['bedrock', 'bedrock', null]],
    [{ AWS_BEARER_TOKEN_BEDROCK: 'k', BEDROCK_BASE_URL: 'http://h' }, ['bedrock', 'bedrock', 'http://h']],
  ])('[SEC4] of %j are %j', (variables, expected) => {
    expect(summary({ ...variables })).toEqual([expected])
  })

  it('[SEC4] of the file come first, take keys by name, and replace those of the environment by their id', () => {
    const file: ConfigFile = {
      providers: [
        { type: 'openai-responses', id: 'openai', apiKeyEnv: 'WORK_KEY' },
        { type: 'anthropic', id: 'work', baseUrl: 'https://proxy.example.org', apiKey: 'in-file' },
      ],
    }
    const variables = {
      OPENAI_API_KEY: 'usual',
      OPENAI_BASE_URL: 'http://h',
      WORK_KEY: 'by-name',
      ANTHROPIC_API_KEY: 'a',
    }
    expect(summary(variables, file)).toEqual([
      ['openai', 'openai-responses', 'https://api.openai.com'],
      ['work', 'anthropic', 'https://proxy.example.org'],
      ['anthropic', 'anthropic', 'https://api.anthropic.com'],
    ])
    expect(setups(variables, file).map(secretsOf)).toEqual([['by-name'], ['in-file'], ['a']])
  })

  it.each<readonly [ConfigFile, RegExp]>([
    [{ providers: [{ type: 'anthropic', id: 'a' }] }, /providers\.0 \(a\) has no key\. Set .* ANTHROPIC_API_KEY/],
    [{ providers: [{ type: 'google', id: 'g', apiKeyEnv: 'NOT_SET' }] }, /from NOT_SET, which is not set/],
    [{ providers: [{ type: 'bedrock', id: 'b' }] }, /AWS_ACCESS_KEY_ID/],
    [
      {
        providers: [
          { type: 'openai-chat', id: 'x', baseUrl: 'http://h' },
          { type: 'openai-chat', id: 'x', baseUrl: 'http://i' },
        ],
      },
      /the id "x" is taken/,
    ],
    [{ providers: [{ type: 'openai-chat', id: 'demo', baseUrl: 'http://h' }] }, /the id "demo" is taken/],
  ])('[SEC5] as in %j are refused with what to do', (file, words) => {
    expect(() => setups({}, file)).toThrow(words)
  })

  it('[SEC4] of AWS keep all three of their secrets', () => {
    const [setup] = setups({ ...AWS, AWS_SESSION_TOKEN: 'token-1' })
    expect(setup && secretsOf(setup)).toEqual(['AKIA1', 'secret-1', 'token-1'])
  })
})
