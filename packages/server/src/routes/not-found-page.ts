import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whether a person opened the address in a browser. What asks for the API gets its problem, whoever asks. */
export function asksForPage({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  const isPageAddress = !/^\/(?:api|assets)\//.test(url)
  return method === 'GET' && isPageAddress && headers.accept?.includes('text/html') === true
}

/** A page for a person whose address leads nowhere. It repeats nothing of that address. [PACK32] */
export function sendNotFoundPage(reply: FastifyReply, basePath: string): FastifyReply {
  return reply
    .code(404)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Nothing is here · Holdfast</title>
<h1>Nothing is here</h1>
<p>This address leads nowhere. <a href="${basePath}/">Open Holdfast</a> or <a href="${basePath}/docs/">read its documentation</a>.</p>
</html>
`)
}
