/** The English words of the first page. */
export const welcome = {
  'welcome.watch-it-stream': 'Watch it stream',
  'welcome.forty-paragraphs-at-a-reading': 'Forty paragraphs at a reading pace. Press Esc or Stop half way.',
  'welcome.see-it-think-first': 'See it think first',
  'welcome.thinking-in-one-line-then': 'Thinking in one line, then a short reply.',
  'welcome.draw-on-the-canvas': 'Draw on the canvas',
  'welcome.cards-a-chart-a-table': 'Cards, a chart, a table and a question beside the conversation.',
  'welcome.lose-the-line': 'Lose the line',
  'welcome.the-stream-breaks-off-in': 'The stream breaks off in the middle; what was said is kept.',
  'welcome.other-scripts': 'Other scripts',
  'welcome.chinese-japanese-and-korean': 'Chinese, Japanese and Korean.',
  'welcome.nothing-is-connected-yet-and': 'Nothing is connected yet, and you can try it.',
  'welcome.the-demo-follows-a-script':
    'The demo follows a script and takes the same path as a real model. Stop and recovery are the real thing.',
  'welcome.seconds': '{seconds, number} s',
} as const
