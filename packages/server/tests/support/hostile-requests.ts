const json = { 'content-type': 'application/json' }

/** What is wrong, where it is sent with which headers and body, and the status of the answer. */
export const hostileRequests: readonly (readonly [
  string,
  string,
  Record<string, string>,
  { method?: string; body?: string },
  number,
])[] = [
  ['no JSON', '/conversations', json, { method: 'POST', body: '{"commandId":' }, 400],
  ['an empty body', '/conversations', json, { method: 'POST', body: '' }, 400],
  ['no object', '/conversations', json, { method: 'POST', body: '7' }, 400],
  ['a prototype', '/conversations', json, { method: 'POST', body: '{"commandId":"c","__proto__":{"x":1}}' }, 400],
  ['an unknown field', '/conversations', json, { method: 'POST', body: '{"commandId":"c","owner":"someone"}' }, 400],
  ['another media type', '/conversations', { 'content-type': 'text/xml' }, { method: 'POST', body: '<x/>' }, 415],
  ['a huge body', '/conversations', json, { method: 'POST', body: `{"commandId":"${'x'.repeat(12_000_000)}"}` }, 413],
  ['deep nesting', '/conversations', json, { method: 'POST', body: '['.repeat(100_000) }, 400],
  [
    'an agent that is not there',
    '/conversations',
    json,
    { method: 'POST', body: '{"commandId":"c","agentId":"a"}' },
    422,
  ],
  ['no method', '/conversations', {}, { method: 'PUT' }, 404],
  ['an unknown address', '/none', {}, {}, 404],
  ['a broken escape', '/conversations/%E0%A4%A/entries', {}, {}, 400],
  ['a page of nonsense', '/conversations?limit=-3', {}, {}, 400],
  ['a cursor of nonsense', '/conversations?before=%00', {}, {}, 400],
  ['a socket without an upgrade', '/socket', {}, {}, 400],
]
