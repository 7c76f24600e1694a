/**
 * The name of a model without what does not change what it is: who sells it, from where, and of which day it is.
 * `us.anthropic.claude-haiku-4-5-20251001-v1:0`, `anthropic/claude-haiku-4.5` and `claude-haiku-4-5-latest` are one name.
 *
 * What comes after a colon stays: `:free` and `:nitro` have other prices, `:30b` is another model.
 */
export function plainModelName(modelId: string): string {
  return modelId
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:us|eu|apac|jp|au|global|regional|us-gov)\./, '')
    .replace(/^(?:anthropic|amazon|meta|mistral|cohere|deepseek|openai|qwen|google|ai21)\./, '')
    .replace(/-v\d+:\d+$/, '')
    .replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d|latest)$/, '')
    .replaceAll('.', '-')
}
