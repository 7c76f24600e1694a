import type { ProviderErrorCode } from '@holdfast/conversation'

/** Who wrote an error, as far as the adapter knows. Servers that speak OpenAI's format are `openai-compatible`. */
export type Vendor =
  | 'anthropic'
  | 'openai'
  | 'openai-compatible'
  | 'openrouter'
  | 'ollama'
  | 'lm-studio'
  | 'llama-cpp'
  | 'vllm'
  | 'bedrock'
  | 'google'

/** One line of the table: all that is named must hold. */
export interface ErrorRule {
  readonly code: ProviderErrorCode
  readonly vendors?: readonly Vendor[]
  readonly statuses?: readonly number[]
  /** One of the vendor's own names of the error; lower case. */
  readonly types?: readonly string[]
  /** Found in the vendor's words; case does not matter. */
  readonly words?: RegExp
  /** Found anywhere in the body. */
  readonly body?: RegExp
}

/** Statuses with which a server says "not now". With them no words make an error too long. [RUN7] */
const NOT_NOW = [429, 503, 529]

/**
 * The table, first match wins: what a vendor names exactly, then words that only one error has, then the status.
 *
 * Rate limits stand before lengths, because their words are alike: "too many tokens, please wait" and "request
 * too large on tokens per minute" are rate limits, "too many input tokens" and "prompt is too long" are lengths.
 * Quota stands before rate limits, because both come with status 429: waiting helps with one of them only.
 */
export const ERROR_RULES: readonly ErrorRule[] = [
  // Money and contingents. Google says "quota" of its limits per minute too; only those per day are one.
  { code: 'quota', vendors: ['google'], statuses: [429], body: /PerDay/ },
  { code: 'rate-limit', vendors: ['google'], statuses: [429] },
  { code: 'quota', types: ['insufficient_quota', 'billing_error', 'billing_hard_limit_reached', 'billing_not_active'] },
  { code: 'quota', types: ['servicequotaexceededexception', 'insufficient_credits', 'exceeded_current_quota_error'] },
  { code: 'quota', statuses: [402] },
  { code: 'quota', words: /credit balance is too low|reached your specified (?:workspace )?api usage limits/i },
  {
    code: 'quota',
    words: /exceeded your current quota|insufficient (?:credits|balance|funds|quota)|key limit exceeded/i,
  },
  { code: 'quota', words: /free-models-per-day|tokens per day|requests per day|per-day|daily limit/i },

  // Not now.
  {
    code: 'overloaded',
    types: [
      'overloaded_error',
      'engine_overloaded',
      'engine_overloaded_error',
      'server_overloaded',
      'server_is_overloaded',
    ],
  },
  { code: 'overloaded', types: ['serviceunavailableexception', 'modelnotreadyexception', 'unavailable_error'] },
  { code: 'overloaded', types: ['unavailable', 'slow_down'] },
  { code: 'overloaded', statuses: NOT_NOW, words: /overloaded|engine is (?:currently )?busy/i },
  {
    code: 'rate-limit',
    types: ['rate_limit_error', 'rate_limit_exceeded', 'rate_limit_reached_error', 'ratelimiterror'],
  },
  {
    code: 'rate-limit',
    types: ['throttlingexception', 'toomanyrequestsexception', 'resource_exhausted', 'throttling'],
  },
  { code: 'rate-limit', types: ['too_many_requests', 'requestlimitexceeded'] },
  { code: 'rate-limit', statuses: [429] },
  { code: 'overloaded', statuses: [503, 529] },
  {
    code: 'rate-limit',
    words: /too many tokens, please wait|too many requests|rate[- ]limit(?:ed| reached| exceeded)|throttl/i,
  },

  // Who may.
  {
    code: 'auth',
    types: ['authentication_error', 'permission_error', 'invalid_api_key', 'invalid_authentication_error'],
  },
  {
    code: 'auth',
    types: ['unauthenticated', 'permission_denied', 'accessdeniedexception', 'unrecognizedclientexception'],
  },
  {
    code: 'auth',
    types: [
      'expiredtokenexception',
      'expiredtoken',
      'invalidsignatureexception',
      'missingauthenticationtokenexception',
    ],
  },
  { code: 'auth', words: /api[ _-]?key not valid|api_key_invalid|invalid (?:x-)?api[ -]?key|incorrect api key/i },
  { code: 'auth', statuses: [401] },

  // Refused for what it says.
  {
    code: 'refused',
    types: ['content_policy_violation', 'content_filter', 'content_filter_error', 'responsibleaipolicyviolation'],
  },
  { code: 'refused', types: ['moderation_blocked', 'prohibited_content', 'sensitive_content'] },
  {
    code: 'refused',
    statuses: [400, 403, 422],
    words: /content filtering policy|content management policy|flagged (?:as|by|for)/i,
  },
  {
    code: 'refused',
    statuses: [400, 403, 422],
    words: /requires moderation|was blocked (?:by|due to) (?:safety|guardrail)/i,
  },

  // Too long for the window, or for the server's limit of one request.
  {
    code: 'too-long',
    types: ['context_length_exceeded', 'exceed_context_size_error', 'request_too_large', 'string_above_max_length'],
  },
  { code: 'too-long', types: ['model_max_prompt_tokens_exceeded', 'context_window_exceeded'] },
  {
    code: 'too-long',
    words: /prompt (?:is )?too long|input (?:is )?too long|too many input tokens|prompt contains \d+ tokens/i,
  },
  {
    code: 'too-long',
    words: /exceeds? (?:the )?(?:model's |available |maximum |max )*context (?:size|length|window|limit)/i,
  },
  { code: 'too-long', words: /exceed context limit|(?:maximum|max) (?:context|prompt|model|sequence) length/i },
  {
    code: 'too-long',
    words:
      /input token count \(?\d+\)? exceeds|input length (?:\(\d+\) )?exceeds|longer than the (?:maximum )?(?:model|context) length/i,
  },
  {
    code: 'too-long',
    words:
      /greater than the context length|context the overflows|context (?:window|length) (?:is )?(?:exceeded|overflow)/i,
  },
  {
    code: 'too-long',
    words: /reduce the length of (?:the|your) (?:messages|prompt|input)|tokens \+ `?max_(?:new_)?tokens`? must be/i,
  },
  { code: 'too-long', statuses: [413] },

  // No such model.
  { code: 'model-missing', types: ['not_found_error', 'model_not_found', 'resourcenotfoundexception', 'not_found'] },
  { code: 'model-missing', types: ['model_not_found_error', 'notfounderror', 'modelnotfound', 'model_not_available'] },
  {
    code: 'model-missing',
    words:
      /model identifier is invalid|not a valid model|no endpoints found|model .{1,200} (?:does not exist|not found)/i,
  },
  { code: 'model-missing', words: /on-demand throughput isn.t supported|unknown model|no models? loaded/i },
  { code: 'model-missing', statuses: [404] },

  // What is left is what the status says.
  { code: 'auth', statuses: [403] },
  { code: 'network', types: ['timeout_error', 'modeltimeoutexception', 'deadline_exceeded'] },
  { code: 'network', statuses: [408, 502, 504, 520, 521, 522, 523, 524] },
  {
    code: 'bad-request',
    types: ['invalid_request_error', 'validationexception', 'invalid_argument', 'failed_precondition'],
  },
  { code: 'bad-request', types: ['badrequesterror', 'bad_request'] },
]
