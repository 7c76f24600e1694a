/** What the demo model can show, by the names behind `/demo`; a test holds them to the model's own. */
export const DEMO_NAMES = [
  ...['stream-long', 'stream-fast', 'stream-slow', 'thinking'],
  ...[
    'tools-ok',
    'tools-parallel',
    'schedule',
    'tool-error',
    'edit',
    'review',
    'permission',
    'permission-x3',
    'shell',
    'tool-slow',
  ],
  ...['tool-timeout', 'tool-stubborn', 'tool-hang-drain', 'background', 'same-call-x3', 'remember', 'sub-agent'],
  ...[
    'canvas-dashboard',
    'canvas-all',
    'cjk',
    'rtl',
    'markdown-torture',
    'drop-mid-stream',
    'no-usage',
    'stop-unconfirmed',
  ],
  ...['fill-context', 'auth-error', 'too-long', 'rate-limit', 'title-slow'],
] as const
