/** A page of ours in the place of one that is not there: words, no script, nothing from elsewhere. */
export interface WordsPage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Says something in the frame of a preview. */
export function wordsPage({ title, words }: { readonly title: string; readonly words: string }): WordsPage {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>body{font:15px/1.6 system-ui,sans-serif;max-width:42rem;margin:15vh auto;padding:0 1.5rem}h1{font-size:1.1rem;margin:0 0 .5rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem}</style></head><body><h1>${escaped(title)}</h1><pre>${escaped(words)}</pre></body></html>`
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body,
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
