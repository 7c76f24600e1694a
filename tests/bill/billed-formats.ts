import { systemIds } from '@holdfast/engine/system'
import { createBedrockModel } from '@holdfast/provider/bedrock'
import { WIRE_FORMATS, type WireFormat } from '../states/wire-formats.ts'

/** The wire formats that have a prompt cache: the five, and Claude's own body on Bedrock. */
export const CACHED_FORMATS: readonly WireFormat[] = [
  ...WIRE_FORMATS,
  {
    name: 'bedrock-claude',
    title: 'Messages on Bedrock',
    modelId: 'anthropic.claude-opus-5-5-v1:0',
    open: ({ bedrock: baseUrl }) =>
      createBedrockModel({
        ids: systemIds,
        providerId: 'bedrock',
        region: 'us-east-1',
        baseUrl,
        route: 'messages',
        credentials: { type: 'api-key', apiKey: 'key-for-tests' },
      }),
  },
]
