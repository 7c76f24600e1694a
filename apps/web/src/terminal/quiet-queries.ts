import type { IParser } from '@xterm/xterm'

/** What programs ask a terminal. The server's screen answers, once, however many pages look on: here nothing does. [WS25] */
export function quietQueries(parser: IParser): void {
  const swallow = (): boolean => true
  for (const query of [
    { final: 'c' },
    { prefix: '>', final: 'c' },
    { prefix: '=', final: 'c' },
    { final: 'n' },
    { prefix: '?', final: 'n' },
    { intermediates: '$', final: 'p' },
    { prefix: '?', intermediates: '$', final: 'p' },
    { prefix: '>', final: 'q' },
  ])
    parser.registerCsiHandler(query, swallow)
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow)
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow)
  // The same sequence sets a colour and asks for one.
  for (const colour of [4, 10, 11, 12]) parser.registerOscHandler(colour, (data) => data.includes('?'))
}
