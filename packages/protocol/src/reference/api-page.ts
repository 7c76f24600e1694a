import * as z from 'zod'
import { ClientFrame } from '../frames/client-frames.ts'
import { CLOSE } from '../frames/close-codes.ts'
import { ServerFrame } from '../frames/server-frames.ts'
import { type Route, scopeOf } from '../parts/route.ts'
import { API_PATH, SOCKET_PATH } from '../routes/own-routes.ts'
import { routes } from '../routes/routes.ts'
import { schemaOf } from './json-schema-of.ts'

/** The style of the page; a server names its hash in the policy of the answer. */
export const API_PAGE_STYLE = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h2 { margin-top: 2.5rem; }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace; }
summary code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: 0.75rem; background: color-mix(in srgb, currentColor 7%, transparent); }
summary { cursor: pointer; padding: 0.25rem 0; }
details > *:not(summary) { margin-inline-start: 1rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600; }
.who { opacity: 0.7; }
nav a { display: inline-block; margin-inline-end: 1rem; }`

/** A page that describes every route and frame by the schemas that they are checked with. It loads nothing and runs nothing. */
export function apiPageOf(version: string): string {
  const groups = Map.groupBy(Object.entries<Route>(routes), ([, { path }]) => groupOf(path))
  const sections = [...groups].map(([group, named]) => section(group, named.map(routeOf)))
  const parts = [
    introduction(version),
    `<nav aria-label="Contents">${[...groups.keys(), 'socket'].map(link).join('')}</nav>`,
    ...sections,
    section('socket', [...framesOf('Client', ClientFrame), ...framesOf('Server', ServerFrame), closeCodes()]),
  ]
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Holdfast: the API</title>`
  return `<!doctype html><html lang="en"><head>${head}<style>${API_PAGE_STYLE}</style></head><body><main>${parts.join('\n')}</main></body></html>`
}

function introduction(version: string): string {
  return `<h1>The API of Holdfast ${escaped(version)}</h1>
<p>Addresses stand under <code>${API_PATH}</code>. Send <code>Authorization: Bearer …</code> with the start-up token or an API key, or the cookie of the page with its key in <code>holdfast-page-key</code>.
A refusal is a problem of RFC 9457 with a <code>code</code>. What changes something takes a <code>commandId</code> that you choose: the same one again has one effect and the
same answer. The same schemas as OpenAPI 3.1: <a href="../openapi.json">openapi.json</a>.</p>`
}

function section(name: string, parts: readonly string[]): string {
  return `<h2 id="${escaped(name)}">${escaped(name)}</h2>\n${parts.join('\n')}`
}

function link(name: string): string {
  return `<a href="#${escaped(name)}">${escaped(name)}</a>`
}

/** Routes about one thing begin with the same word. */
function groupOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function routeOf([name, route]: readonly [string, Route]): string {
  const { method, path, body, answers, takes, gives } = route
  const given = [
    ...fields('Address', route.params),
    ...fields('Query', route.query),
    ...(takes === undefined ? fields('Body', body) : [`<p>Body: <code>${takes}</code></p>`]),
    ...Object.entries(answers).flatMap(([status, schema]) =>
      gives === undefined ? fields(`Answer ${status}`, schema) : [`<p>Answer ${status}: <code>${gives}</code></p>`],
    ),
  ]
  const head = `<span class="method">${method}</span> <code>${escaped(path)}</code> <span class="who">${escaped(name)} · ${whoMay(route)}</span>`
  return `<details><summary>${head}</summary>${given.join('')}</details>`
}

function whoMay(route: Route): string {
  if (route.access === 'anyone') return 'anyone'
  const whose = route.access === 'owner' || route.access === 'record' ? 'its owner' : route.access
  return `${whose}, scope ${scopeOf(route)}`
}

function framesOf(from: 'Client' | 'Server', frames: z.ZodType): string[] {
  return [`<h3>Frames of the ${from.toLowerCase()} at <code>${SOCKET_PATH}</code></h3>`, ...fields('One of', frames)]
}

function closeCodes(): string {
  const rows = Object.values(CLOSE).map(
    ({ status, code, retry }) => `<li><code>${status}</code> ${code}, ${retry ? 'come back' : 'do not come back'}</li>`,
  )
  return `<h3>Why the server closes</h3><ul>${rows.join('')}</ul>`
}

/** Nothing for what is not looked at. */
function fields(title: string, schema: z.ZodType): string[] {
  if (schema instanceof z.ZodUnknown) return []
  const io = title.startsWith('Answer') ? 'output' : 'input'
  return [`<p>${escaped(title)}</p><pre>${escaped(JSON.stringify(schemaOf(schema, io), null, 2))}</pre>`]
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
