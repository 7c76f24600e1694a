/** What is known of a model beside its price. */
export interface ModelLimits {
  /** The most that one answer may have, thinking included. */
  readonly maxOutputTokens: number
  /** Whether it can think before it answers; null where it is not known. */
  readonly thinking: boolean | null
}

/**
 * What models write at most and whether they think, by their plain names. What is sold after a colon, such as `:free`,
 * has the limits of its model.
 *
 * From https://models.dev (2026-07-02, MIT) for models that vendors themselves, Amazon Bedrock and OpenRouter sell; newer
 * ones from https://platform.claude.com/docs/en/models, https://developers.openai.com/api/docs/models and
 * https://ai.google.dev/gemini-api/docs/models (2026-11).
 *
 * @returns null for a model that is not listed: nothing is guessed. [COST3]
 */
export function limitsOfModel(plainName: string): ModelLimits | null {
  const name = plainName.replace(/:.*/s, '')
  const maxOutputTokens = BY_NAME.get(name)
  if (maxOutputTokens === undefined) return null
  return { maxOutputTokens, thinking: THINKS.has(name) ? true : ANSWERS_AT_ONCE.has(name) ? false : null }
}

function names(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

const THINKS: ReadonlySet<string> = new Set(
  names(`
  gpt-5-3 gemini-3-5-flash-lite
  aion-1-0 aion-1-0-mini aion-2-0 claude-3-7-sonnet claude-4-opus claude-4-sonnet claude-fable claude-fable-5
  claude-fable-5-1 claude-haiku claude-haiku-4-5 claude-opus claude-opus-4 claude-opus-4-0 claude-opus-4-1
  claude-opus-4-5 claude-opus-4-6 claude-opus-4-7 claude-opus-4-7-fast claude-opus-4-8 claude-opus-4-8-fast
  claude-opus-5 claude-opus-5-5 claude-sonnet claude-sonnet-4 claude-sonnet-4-0 claude-sonnet-4-5
  claude-sonnet-4-6 claude-sonnet-5 codex-mini cogito-v2-1-671b deepseek-chat-v3-1 deepseek-r1
  deepseek-r1-0528 deepseek-r1-distill-llama-70b deepseek-v3-1-terminus deepseek-v3-2 deepseek-v3-2-exp
  deepseek-v4-flash deepseek-v4-pro ernie-4-5-vl-424b-a47b gemini-2-5-flash gemini-2-5-flash-image
  gemini-2-5-flash-lite gemini-2-5-flash-lite-preview-09-2025 gemini-2-5-flash-preview gemini-2-5-pro
  gemini-3-1-flash-image-preview gemini-3-1-flash-lite gemini-3-1-flash-lite-image gemini-3-1-pro-preview
  gemini-3-5-flash gemini-3-6-flash gemini-3-7-flash gemini-3-8-flash gemini-3-flash-preview
  gemini-3-pro-image-preview gemini-3-pro-preview gemini-flash gemini-pro gemma-4-26b-a4b-it gemma-4-31b-it
  glm-4-5 glm-4-5-air glm-4-5v glm-4-6 glm-4-6v glm-4-7 glm-4-7-flash glm-5 glm-5-1 glm-5-2 glm-5-turbo
  glm-5v-turbo gpt gpt-5 gpt-5-1 gpt-5-1-codex-mini gpt-5-2 gpt-5-2-pro gpt-5-3-codex gpt-5-4 gpt-5-4-image-2
  gpt-5-4-mini gpt-5-4-nano gpt-5-4-pro gpt-5-5 gpt-5-5-pro gpt-5-6-luna gpt-5-6-sol gpt-5-6-terra gpt-5-image
  gpt-5-image-mini gpt-5-mini gpt-5-nano gpt-5-pro gpt-6-astra gpt-6-luna gpt-6-sol gpt-mini gpt-oss-120b
  gpt-oss-120b-1 gpt-oss-20b gpt-oss-20b-1 grok-4-20 grok-4-20-multi-agent grok-4-3 grok-build-0-1
  hermes-4-405b hermes-4-70b hunyuan-a13b-instruct hy3-preview kimi kimi-k2-5 kimi-k2-6 kimi-k2-7-code
  kimi-k2-thinking laguna-m-1 laguna-xs-2 lfm-2-5-1-2b-thinking llama-3-3-nemotron-super-49b-v1-5
  magistral-small-2509 mercury-2 mimo-v2-5 mimo-v2-5-pro minimax-m1 minimax-m2 minimax-m2-1 minimax-m2-5
  minimax-m2-7 minimax-m3 mistral-medium-3-5 mistral-small-2603 nemotron-3-5-content-safety
  nemotron-3-nano-30b-a3b nemotron-3-nano-omni-30b-a3b-reasoning nemotron-3-super-120b-a12b
  nemotron-3-ultra-550b-a55b nemotron-nano-12b-v2-vl nemotron-nano-9b-v2 nex-n2-pro nova-2-lite nova-2-lite-v1
  nvidia-nemotron-nano-3-30b nvidia-nemotron-super-3-120b o1 o1-mini o1-preview o1-pro o3 o3-deep-research
  o3-mini o3-pro o4-mini o4-mini-deep-research olmo-3-32b-think perceptron-mk1 qwen-plus-2025-07-28 qwen3-14b
  qwen3-235b-a22b qwen3-235b-a22b-thinking-2507 qwen3-30b-a3b qwen3-30b-a3b-thinking-2507 qwen3-32b
  qwen3-5-122b-a10b qwen3-5-27b qwen3-5-35b-a3b qwen3-5-397b-a17b qwen3-5-9b qwen3-5-flash-02-23 qwen3-5-plus
  qwen3-5-plus-02-15 qwen3-6-27b qwen3-6-35b-a3b qwen3-6-flash qwen3-6-max-preview qwen3-6-plus qwen3-7-max
  qwen3-7-plus qwen3-8b qwen3-coder-next qwen3-max-thinking qwen3-next-80b-a3b-thinking
  qwen3-vl-235b-a22b-thinking qwen3-vl-30b-a3b-thinking qwen3-vl-8b-thinking r1 reka-flash-3 ring-2-6-1t
  router seed-1-6 seed-1-6-flash seed-2-0-lite seed-2-0-mini solar-pro-3 sonar-deep-research
  sonar-reasoning-pro step-3-5-flash step-3-7-flash trinity-large-thinking trinity-mini writer-palmyra-x4
  writer-palmyra-x5
`),
)

const ANSWERS_AT_ONCE: ReadonlySet<string> = new Set(
  names(`
  claude-v1 gpt-3-5-0301 gemma-3
  aion-rp-llama-3-1-8b chatgpt-4o claude-2 claude-3-5-haiku claude-3-5-sonnet claude-3-haiku claude-3-opus
  claude-3-sonnet coder-large codestral-2508 command-a command-r-08-2024 command-r-plus-08-2024
  command-r7b-12-2024 cydonia-24b-v4-1 deepseek-chat deepseek-chat-v3-0324 devstral-2-123b devstral-2512
  dolphin-mistral-24b-venice-edition gemini-2-0-flash gemini-2-0-flash-lite gemini-2-5-flash-tts
  gemini-2-5-pro-tts gemma-2-27b-it gemma-3-12b-it gemma-3-27b-it gemma-3-4b-it gemma-3n-e4b-it gpt-3-5-turbo
  gpt-3-5-turbo-0613 gpt-3-5-turbo-16k gpt-3-5-turbo-instruct gpt-4 gpt-4-1 gpt-4-1-mini gpt-4-1-nano
  gpt-4-32k gpt-4-5-preview gpt-4-turbo gpt-4o gpt-4o-mini gpt-4o-mini-search-preview gpt-4o-search-preview
  gpt-5-3-chat gpt-audio gpt-audio-mini gpt-chat gpt-oss-safeguard-20b granite-4-0-h-micro granite-4-1-8b
  hermes-3-llama-3-1-405b hermes-3-llama-3-1-70b inflection-3-pi inflection-3-productivity jamba-large-1-7
  kat-coder-pro-v2 kimi-k2 kimi-k2-0905 l3-1-70b-hanami-x1 l3-1-euryale-70b l3-3-euryale-70b l3-lunaris-8b
  lfm-2-24b-a2b lfm-2-5-1-2b-instruct ling-2-6-1t ling-2-6-flash llama-3-1-70b-instruct llama-3-1-8b-instruct
  llama-3-2-11b-vision-instruct llama-3-2-1b-instruct llama-3-2-3b-instruct llama-3-3-70b-instruct
  llama-3-8b-instruct llama-4-maverick llama-4-scout llama-guard-4-12b llama3-1-70b-instruct
  llama3-1-8b-instruct llama3-3-70b-instruct llama4-maverick-17b-instruct llama4-scout-17b-instruct
  lyria-3-clip-preview lyria-3-pro-preview magnum-v4-72b minimax-01 minimax-m2-her ministral-14b-2512
  ministral-3-14b-instruct ministral-3-3b-instruct ministral-3-8b-instruct ministral-3b-2512 ministral-8b-2512
  mistral-large mistral-large-2512 mistral-large-3-675b-instruct mistral-medium-3 mistral-medium-3-1
  mistral-nemo mistral-saba mistral-small-24b-instruct-2501 mistral-small-3-1-24b-instruct
  mistral-small-3-2-24b-instruct mixtral-8x22b-instruct morph-v3-fast morph-v3-large mythomax-l2-13b nova-lite
  nova-lite-v1 nova-micro nova-micro-v1 nova-premier-v1 nova-pro nova-pro-v1 palmyra-x5 phi-4
  pixtral-large-2502 qwen-2-5-72b-instruct qwen-2-5-7b-instruct qwen-2-5-coder-32b-instruct qwen-plus
  qwen2-5-vl-72b-instruct qwen3-235b-a22b-2507 qwen3-30b-a3b-instruct-2507 qwen3-coder qwen3-coder-30b-a3b
  qwen3-coder-30b-a3b-instruct qwen3-coder-480b-a35b qwen3-coder-flash qwen3-coder-plus qwen3-max
  qwen3-next-80b-a3b-instruct qwen3-vl-235b-a22b qwen3-vl-235b-a22b-instruct qwen3-vl-30b-a3b-instruct
  qwen3-vl-32b-instruct qwen3-vl-8b-instruct reka-edge relace-apply-3 relace-search remm-slerp-l2-13b
  rocinante-12b skyfall-36b-v2 sonar sonar-pro text-embedding-3-large text-embedding-3-small
  text-embedding-ada-002 ui-tars-1-5-7b unslopnemo-12b virtuoso-large voxtral-mini-3b-2507
  voxtral-small-24b-2507 weaver wizardlm-2-8x22b
`),
)

/** Tokens, and the models that write so many at most. */
const LIMITS: readonly (readonly [number, string])[] = [
  [
    1_024,
    `
    computer-use
    inflection-3-pi inflection-3-productivity
    `,
  ],
  [
    1_536,
    `
    text-embedding-3-small text-embedding-ada-002
    `,
  ],
  [
    2_000,
    `
    weaver
    `,
  ],
  [
    2_048,
    `
    gemma-2-27b-it magnum-v4-72b minimax-m2-her ui-tars-1-5-7b
    `,
  ],
  [
    3_072,
    `
    text-embedding-3-large
    `,
  ],
  [
    4_000,
    `
    command-r-08-2024 command-r-plus-08-2024 command-r7b-12-2024
    `,
  ],
  [
    4_096,
    `
    claude-v1 gpt-3-5-0301
    claude-2 claude-3-haiku claude-3-opus claude-3-sonnet gemma-3-4b-it gpt-3-5-turbo gpt-3-5-turbo-0613
    gpt-3-5-turbo-1106 gpt-3-5-turbo-16k gpt-3-5-turbo-instruct gpt-4 gpt-4-1106-preview gpt-4-turbo
    gpt-4-vision-preview jamba-large-1-7 llama3-1-70b-instruct llama3-1-8b-instruct llama3-3-70b-instruct
    ministral-3-14b-instruct ministral-3-8b-instruct mythomax-l2-13b nova-2-lite nvidia-nemotron-nano-3-30b
    remm-slerp-l2-13b voxtral-mini-3b-2507
    `,
  ],
  [
    5_120,
    `
    nova-lite-v1 nova-micro-v1 nova-pro-v1
    `,
  ],
  [
    8_000,
    `
    sonar-pro wizardlm-2-8x22b
    `,
  ],
  [
    8_192,
    `
    gemma-3
    claude-3-5-haiku claude-3-5-sonnet command-a deepseek-r1-distill-llama-70b devstral-2-123b gemini-1-5-flash
    gemini-1-5-pro gemini-2-0-flash gemini-2-0-flash-lite gemini-flash-1-5 gemini-flash-1-5-8b gemini-pro-1-5
    gemma-3-12b-it gemma-3-27b-it gemma-4-31b-it gpt-4-32k llama-3-8b-instruct ministral-3-3b-instruct
    mistral-large-3-675b-instruct nemotron-3-5-content-safety nova-lite nova-micro nova-pro palmyra-x5
    perceptron-mk1 pixtral-large-2502 qwen3-235b-a22b qwen3-8b voxtral-small-24b-2507 writer-palmyra-x4
    writer-palmyra-x5
    `,
  ],
  [
    16_000,
    `
    deepseek-chat deepseek-r1 ernie-4-5-vl-424b-a47b l3-1-70b-hanami-x1
    `,
  ],
  [
    16_384,
    `
    chatgpt-4o deepseek-chat-v3-0324 gemini-2-5-flash-tts gemini-2-5-pro-tts glm-4-5v glm-4-7-flash
    gpt-4-5-preview gpt-4o gpt-4o-mini gpt-4o-mini-search-preview gpt-4o-search-preview gpt-5-3-chat gpt-audio
    gpt-audio-mini gpt-oss-120b gpt-oss-120b-1 gpt-oss-20b gpt-oss-20b-1 gpt-oss-safeguard-20b
    hermes-3-llama-3-1-405b hermes-3-llama-3-1-70b kimi-k2-7-code l3-1-euryale-70b l3-3-euryale-70b
    l3-lunaris-8b llama-3-1-70b-instruct llama-3-1-8b-instruct llama-3-2-11b-vision-instruct
    llama-3-3-70b-instruct llama-3-3-nemotron-super-49b-v1-5 llama-4-maverick llama-4-scout llama-guard-4-12b
    llama4-maverick-17b-instruct llama4-scout-17b-instruct mistral-small-24b-instruct-2501
    mistral-small-3-2-24b-instruct nemotron-3-super-120b-a12b nemotron-3-ultra-550b-a55b phi-4
    qwen-2-5-72b-instruct qwen3-235b-a22b-2507 qwen3-30b-a3b qwen3-32b qwen3-next-80b-a3b-instruct
    qwen3-vl-235b-a22b-instruct reka-edge
    `,
  ],
  [
    32_000,
    `
    claude-4-opus claude-opus-4 claude-opus-4-0 claude-opus-4-1 nova-premier-v1 qwen3-30b-a3b-instruct-2507
    `,
  ],
  [
    32_768,
    `
    aion-1-0 aion-1-0-mini aion-2-0 aion-rp-llama-3-1-8b coder-large deepseek-chat-v3-1 deepseek-r1-0528
    deepseek-v3-1-terminus dolphin-mistral-24b-venice-edition gemini-2-5-flash-image
    gemini-3-1-flash-image-preview gemini-3-pro-image-preview gemma-3n-e4b-it gemma-4-26b-a4b-it glm-4-6v
    glm-5-2 gpt-4-1 gpt-4-1-mini gpt-4-1-nano laguna-m-1 laguna-xs-2 lfm-2-24b-a2b lfm-2-5-1-2b-instruct
    lfm-2-5-1-2b-thinking ling-2-6-1t ling-2-6-flash mistral-saba o1-preview qwen-2-5-7b-instruct
    qwen-2-5-coder-32b-instruct qwen-plus qwen-plus-2025-07-28 qwen3-coder-30b-a3b-instruct qwen3-max
    qwen3-max-thinking qwen3-next-80b-a3b-thinking qwen3-vl-235b-a22b-thinking qwen3-vl-30b-a3b-instruct
    qwen3-vl-30b-a3b-thinking qwen3-vl-32b-instruct qwen3-vl-8b-instruct qwen3-vl-8b-thinking r1 rocinante-12b
    seed-1-6 seed-1-6-flash skyfall-36b-v2 unslopnemo-12b
    `,
  ],
  [
    38_000,
    `
    morph-v3-fast
    `,
  ],
  [
    40_000,
    `
    magistral-small-2509 minimax-m1
    `,
  ],
  [
    40_960,
    `
    qwen3-14b
    `,
  ],
  [
    50_000,
    `
    mercury-2
    `,
  ],
  [
    60_000,
    `
    llama-3-2-1b-instruct
    `,
  ],
  [
    64_000,
    `
    claude-3-7-sonnet claude-4-sonnet claude-haiku claude-haiku-4-5 claude-opus-4-5 claude-sonnet-4
    claude-sonnet-4-0 claude-sonnet-4-5 claude-sonnet-4-6 deepseek-v3-2 qwen3-5-397b-a17b virtuoso-large
    `,
  ],
  [
    65_535,
    `
    gemini-2-5-flash gemini-2-5-flash-lite gemini-2-5-flash-lite-preview-09-2025 gemini-3-flash-preview
    nova-2-lite-v1
    `,
  ],
  [
    65_536,
    `
    gemini-3-5-flash-lite
    deepseek-v3-2-exp deepseek-v4-flash gemini-2-5-flash-preview gemini-2-5-pro gemini-3-1-flash-lite
    gemini-3-1-pro-preview gemini-3-5-flash gemini-3-6-flash gemini-3-7-flash gemini-3-8-flash
    gemini-3-pro-preview gemini-flash gemini-pro lyria-3-clip-preview lyria-3-pro-preview mixtral-8x22b-instruct
    nemotron-3-nano-omni-30b-a3b-reasoning o1-mini olmo-3-32b-think qwen3-5-27b qwen3-5-flash-02-23 qwen3-5-plus
    qwen3-5-plus-02-15 qwen3-6-flash qwen3-6-max-preview qwen3-6-plus qwen3-7-max qwen3-7-plus qwen3-coder
    qwen3-coder-480b-a35b qwen3-coder-flash qwen3-coder-next qwen3-coder-plus reka-flash-3 ring-2-6-1t
    step-3-5-flash
    `,
  ],
  [
    66_000,
    `
    gemini-3-1-flash-lite-image
    `,
  ],
  [
    80_000,
    `
    kat-coder-pro-v2 llama-3-2-3b-instruct trinity-large-thinking
    `,
  ],
  [
    81_920,
    `
    qwen3-5-35b-a3b
    `,
  ],
  [
    98_304,
    `
    glm-4-5 glm-4-5-air
    `,
  ],
  [
    100_000,
    `
    codex-mini gpt-5-1-codex-mini o1 o1-pro o3 o3-deep-research o3-mini o3-pro o4-mini o4-mini-deep-research
    `,
  ],
  [
    100_352,
    `
    kimi-k2 kimi-k2-0905
    `,
  ],
  [
    127_072,
    `
    sonar
    `,
  ],
  [
    128_000,
    `
    gpt-5-3
    claude-fable claude-fable-5 claude-fable-5-1 claude-opus claude-opus-4-6 claude-opus-4-7
    claude-opus-4-7-fast claude-opus-4-8 claude-opus-4-8-fast claude-opus-5 claude-opus-5-5 claude-sonnet
    claude-sonnet-5 cogito-v2-1-671b glm-5 glm-5-1 gpt gpt-5 gpt-5-1 gpt-5-2 gpt-5-2-pro gpt-5-3-codex gpt-5-4
    gpt-5-4-image-2 gpt-5-4-mini gpt-5-4-nano gpt-5-4-pro gpt-5-5 gpt-5-5-pro gpt-5-6-luna gpt-5-6-sol
    gpt-5-6-terra gpt-5-image gpt-5-image-mini gpt-5-mini gpt-5-nano gpt-5-pro gpt-6-astra gpt-6-luna gpt-6-sol
    gpt-chat gpt-mini mistral-large mistral-small-3-1-24b-instruct nemotron-nano-12b-v2-vl nemotron-nano-9b-v2
    qwen2-5-vl-72b-instruct relace-apply-3 relace-search solar-pro-3 sonar-deep-research sonar-reasoning-pro
    `,
  ],
  [
    131_000,
    `
    granite-4-0-h-micro
    `,
  ],
  [
    131_072,
    `
    cydonia-24b-v4-1 glm-4-6 glm-4-7 glm-5-turbo glm-5v-turbo granite-4-1-8b hermes-4-405b hermes-4-70b
    hunyuan-a13b-instruct mimo-v2-5 mimo-v2-5-pro ministral-3b-2512 mistral-medium-3 mistral-nemo morph-v3-large
    nvidia-nemotron-super-3-120b qwen3-30b-a3b-thinking-2507 qwen3-coder-30b-a3b router seed-2-0-lite
    seed-2-0-mini trinity-mini
    `,
  ],
  [
    196_608,
    `
    minimax-m2 minimax-m2-1 minimax-m2-5 minimax-m2-7
    `,
  ],
  [
    228_000,
    `
    nemotron-3-nano-30b-a3b
    `,
  ],
  [
    256_000,
    `
    codestral-2508 grok-build-0-1 kimi-k2-5 step-3-7-flash
    `,
  ],
  [
    262_000,
    `
    qwen3-vl-235b-a22b
    `,
  ],
  [
    262_140,
    `
    qwen3-6-27b
    `,
  ],
  [
    262_144,
    `
    devstral-2512 hy3-preview kimi kimi-k2-6 kimi-k2-thinking ministral-14b-2512 ministral-8b-2512
    mistral-large-2512 mistral-medium-3-1 mistral-medium-3-5 mistral-small-2603 nex-n2-pro
    qwen3-235b-a22b-thinking-2507 qwen3-5-122b-a10b qwen3-5-9b qwen3-6-35b-a3b
    `,
  ],
  [
    384_000,
    `
    deepseek-v4-pro
    `,
  ],
  [
    512_000,
    `
    minimax-m3
    `,
  ],
  [
    1_000_000,
    `
    grok-4-3
    `,
  ],
  [
    1_000_192,
    `
    minimax-01
    `,
  ],
  [
    2_000_000,
    `
    grok-4-20 grok-4-20-multi-agent
    `,
  ],
]

const BY_NAME: ReadonlyMap<string, number> = new Map(
  LIMITS.flatMap(([tokens, models]) => names(models).map((name) => [name, tokens] as const)),
)
