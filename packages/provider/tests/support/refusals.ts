import type { ProviderErrorCode } from '@holdfast/conversation'
import type { Vendor } from '@holdfast/provider'

/** A refusal as a vendor writes it, and what it is. */
export interface Refusal {
  readonly vendor: Vendor
  readonly status: number | null
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly code: ProviderErrorCode
}

function anthropic(status: number | null, type: string, message: string, code: ProviderErrorCode): Refusal {
  return { vendor: 'anthropic', status, body: { type: 'error', error: { type, message } }, code }
}

function openai(status: number, error: Readonly<Record<string, unknown>>, code: ProviderErrorCode): Refusal {
  return { vendor: 'openai', status, body: { error }, code }
}

function compatible(vendor: Vendor, status: number, body: unknown, code: ProviderErrorCode): Refusal {
  return { vendor, status, body, code }
}

function bedrock(status: number, type: string, message: string, code: ProviderErrorCode): Refusal {
  return {
    vendor: 'bedrock',
    status,
    body: { message },
    headers: { 'x-amzn-errortype': `${type}:http://internal` },
    code,
  }
}

function google(status: number, error: Readonly<Record<string, unknown>>, code: ProviderErrorCode): Refusal {
  return { vendor: 'google', status, body: [{ error: { code: status, ...error } }], code }
}

/** What vendors refuse with, one of a kind. */
export const REFUSALS: readonly Refusal[] = [
  anthropic(401, 'authentication_error', 'invalid x-api-key', 'auth'),
  anthropic(403, 'permission_error', 'Your API key does not have permission to use the specified resource.', 'auth'),
  anthropic(404, 'not_found_error', 'model: claude-nonsense', 'model-missing'),
  anthropic(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'too-long'),
  anthropic(
    400,
    'invalid_request_error',
    'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000',
    'too-long',
  ),
  anthropic(413, 'request_too_large', 'Request exceeds the maximum size', 'too-long'),
  anthropic(
    429,
    'rate_limit_error',
    'This request would exceed the rate limit of 30,000 input tokens per minute. Reduce the prompt length.',
    'rate-limit',
  ),
  anthropic(
    429,
    'rate_limit_error',
    'Number of request tokens has exceeded your per-minute rate limit; the prompt is too long for it',
    'rate-limit',
  ),
  anthropic(529, 'overloaded_error', 'Overloaded', 'overloaded'),
  anthropic(null, 'overloaded_error', 'Overloaded', 'overloaded'),
  anthropic(null, 'api_error', 'Internal server error', 'internal'),
  anthropic(500, 'api_error', 'Internal server error', 'internal'),
  anthropic(504, 'timeout_error', 'The request timed out', 'network'),
  anthropic(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 'quota'),
  anthropic(
    400,
    'invalid_request_error',
    'You have reached your specified API usage limits. You will regain access on 2026-12-01.',
    'quota',
  ),
  anthropic(400, 'invalid_request_error', 'Output blocked by content filtering policy', 'refused'),
  anthropic(400, 'invalid_request_error', 'messages: roles must alternate', 'bad-request'),
  anthropic(
    400,
    'invalid_request_error',
    'messages.3: `tool_use` ids were found without `tool_result` blocks',
    'bad-request',
  ),

  openai(
    401,
    { message: 'Incorrect API key provided: sk-abcdef123456.', type: 'invalid_request_error', code: 'invalid_api_key' },
    'auth',
  ),
  openai(
    429,
    {
      message: 'Rate limit reached for gpt-5.2 on tokens per min (TPM): Limit 30000, Used 29000',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    },
    'rate-limit',
  ),
  openai(
    429,
    {
      message:
        'Request too large for gpt-5.2 on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    },
    'rate-limit',
  ),
  openai(
    429,
    {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    },
    'quota',
  ),
  openai(
    400,
    {
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
    'too-long',
  ),
  openai(
    404,
    {
      message: 'The model `gpt-9` does not exist or you do not have access to it.',
      type: 'invalid_request_error',
      code: 'model_not_found',
    },
    'model-missing',
  ),
  openai(
    503,
    { message: 'The engine is currently overloaded, please try again later', type: 'server_error' },
    'overloaded',
  ),
  openai(500, { message: 'The server had an error while processing your request.', type: 'server_error' }, 'internal'),
  openai(
    400,
    {
      message: 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
      type: 'invalid_request_error',
      code: 'invalid_prompt',
    },
    'refused',
  ),
  openai(400, { message: 'Blocked', type: 'image_generation_user_error', code: 'content_policy_violation' }, 'refused'),
  openai(400, { message: "Missing required parameter: 'messages'.", type: 'invalid_request_error' }, 'bad-request'),
  openai(408, { message: 'Request timed out.' }, 'network'),
  openai(
    413,
    {
      message: 'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    },
    'rate-limit',
  ),

  compatible('openrouter', 402, { error: { code: 402, message: 'Insufficient credits' } }, 'quota'),
  compatible('openrouter', 429, { error: { code: 429, message: 'Rate limit exceeded: free-models-per-day' } }, 'quota'),
  compatible(
    'openrouter',
    429,
    {
      error: {
        code: 429,
        message: 'Provider returned error',
        metadata: { raw: 'x is temporarily rate-limited upstream' },
      },
    },
    'rate-limit',
  ),
  compatible(
    'openrouter',
    403,
    { error: { code: 403, message: 'Input requires moderation and was flagged for violence' } },
    'refused',
  ),
  compatible(
    'openrouter',
    400,
    {
      error: {
        code: 400,
        message: "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens",
      },
    },
    'too-long',
  ),
  compatible('openrouter', 400, { error: { code: 400, message: 'foo/bar is not a valid model ID' } }, 'model-missing'),
  compatible('openrouter', 404, { error: { code: 404, message: 'No endpoints found for foo/bar.' } }, 'model-missing'),
  compatible('openrouter', 502, { error: { code: 502, message: 'Provider returned error' } }, 'network'),
  compatible(
    'ollama',
    404,
    { error: { message: 'model "qwen9" not found, try pulling it first', type: 'api_error' } },
    'model-missing',
  ),
  compatible(
    'ollama',
    503,
    { error: 'server busy, please try again. maximum pending requests exceeded' },
    'overloaded',
  ),
  compatible('ollama', 400, { error: 'input length exceeds context length' }, 'too-long'),
  compatible(
    'llama-cpp',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_ctx: 4096,
      },
    },
    'too-long',
  ),
  compatible(
    'llama-cpp',
    503,
    { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
    'overloaded',
  ),
  compatible(
    'lm-studio',
    400,
    {
      error:
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    },
    'too-long',
  ),
  compatible(
    'vllm',
    400,
    {
      object: 'error',
      message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
      type: 'BadRequestError',
      code: 400,
    },
    'too-long',
  ),
  compatible(
    'vllm',
    404,
    { object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', code: 404 },
    'model-missing',
  ),
  compatible(
    'openai-compatible',
    400,
    {
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_error',
    },
    'too-long',
  ),
  compatible('openai-compatible', 402, { error: { message: 'Insufficient Balance', type: 'unknown_error' } }, 'quota'),

  bedrock(429, 'ThrottlingException', 'Too many tokens, please wait before trying again.', 'rate-limit'),
  bedrock(429, 'ThrottlingException', 'Too many requests, please wait before trying again.', 'rate-limit'),
  bedrock(429, 'ThrottlingException', 'Too many tokens per day, please wait before trying again.', 'quota'),
  bedrock(400, 'ThrottlingException', 'Too many tokens, please wait before trying again.', 'rate-limit'),
  bedrock(400, 'ValidationException', 'Input is too long for requested model.', 'too-long'),
  bedrock(
    400,
    'ValidationException',
    'Too many input tokens. Max input tokens: 200000, request input token count: 210000',
    'too-long',
  ),
  bedrock(400, 'ValidationException', 'The provided model identifier is invalid.', 'model-missing'),
  bedrock(400, 'ValidationException', 'messages.1: all messages must have non-empty content', 'bad-request'),
  bedrock(403, 'AccessDeniedException', "You don't have access to the model with the specified model ID.", 'auth'),
  bedrock(403, 'ExpiredTokenException', 'The security token included in the request is expired', 'auth'),
  bedrock(400, 'ServiceQuotaExceededException', 'Your request exceeds the service quota.', 'quota'),
  bedrock(503, 'ServiceUnavailableException', 'The service is temporarily unavailable.', 'overloaded'),
  bedrock(408, 'ModelTimeoutException', 'The request took too long to process.', 'network'),

  google(400, { message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' }, 'auth'),
  google(
    400,
    {
      message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      status: 'INVALID_ARGUMENT',
    },
    'too-long',
  ),
  google(
    429,
    {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }] }],
    },
    'rate-limit',
  ),
  google(
    429,
    {
      message: 'You exceeded your current quota',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }],
    },
    'quota',
  ),
  google(503, { message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' }, 'overloaded'),
  google(403, { message: 'Permission denied', status: 'PERMISSION_DENIED' }, 'auth'),
  google(404, { message: 'models/x is not found for API version v1beta', status: 'NOT_FOUND' }, 'model-missing'),
]
