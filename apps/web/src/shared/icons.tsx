const PATHS = {
  logo: 'M8 1.5v13M8 6.5c-.2 3.2-4 2.4-4.3 7.2M8 6.5c.2 3.2 4 2.4 4.3 7.2',
  plus: 'M8 3v10M3 8h10',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  up: 'M8 13V3.5M4 7.5l4-4 4 4',
  down: 'M8 3v9.5M4 8.5l4 4 4-4',
  enter: 'M13 3.5v4a2 2 0 0 1-2 2H3.5M6 6.5l-3 3 3 3',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  archive: 'M2.5 3h11v3h-11ZM3.5 6v7h9V6M6.5 8.5h3',
  close: 'm4 4 8 8m0-8-8 8',
  pencil: 'm3 13 .6-2.6 7-7 2 2-7 7ZM9.2 4.8l2 2',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.2 3.2',
  dock: 'M2.5 3h11v10h-11ZM9.5 3v10',
  canvas: 'M2.5 3h11v10h-11ZM5 10.5V8M8 10.5v-5M11 10.5V7',
  pin: 'M5.5 2.5h5l-.6 4 2.1 2.3H4l2.1-2.3ZM8 9v4.5',
  full: 'M3 6.5V3h3.5M13 6.5V3H9.5M3 9.5V13h3.5M13 9.5V13H9.5',
  clock: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8ZM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  sliders:
    'M2.5 5h6M12 5h1.5M2.5 11h1.5M7.5 11h6M10.2 6.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM5.8 12.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
  download: 'M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10',
  clip: 'M13 7.2 8 12.2a3 3 0 0 1-4.3-4.3l5.4-5.3a2 2 0 0 1 2.9 2.8l-5.3 5.3a1 1 0 0 1-1.5-1.4l4.7-4.7',
  sheet: 'M4 1.8h5.2L12.5 5v9.2H4ZM9 2v3.3h3.3M6 8.5h4.5M6 11h4.5',
  picture: 'M2.5 3h11v10h-11ZM2.8 11l3.2-3 2.2 2 2.4-2.4 2.6 2.6M6 6.2h.01',
  fork: 'M4.5 4.8v6.4M4.5 4.8a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM4.5 14.2a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM11.5 6.8a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM11.5 6.8c0 2.6-7 1.4-7 4',
  target: 'M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM8 1v4M8 11v4M1 8h4M11 8h4',
  retry: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8Z',
} as const

/** The drawn signs of the page. */
export type IconName = keyof typeof PATHS

/** Signs that point along the line: they turn round with it. */
const MIRRORS: ReadonlySet<IconName> = new Set(['left', 'right', 'enter', 'dock'])

/** A sign beside words that say the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" data-mirrors={MIRRORS.has(name) || undefined} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** The states that have a shape of their own. */
export type GlyphName =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'ok'
  | 'failed'
  | 'stopped'
  | 'denied'
  | 'interrupted'
  | 'timed-out'
  | 'not-started'
  | 'unknown'

/** A state, told by its shape; words beside it say the same. `lively`: the one that moves. */
export function Glyph({ name, lively }: { readonly name: GlyphName; readonly lively: boolean }) {
  return (
    <svg className={`icon glyph-${name}${lively ? ' lively' : ''}`} viewBox="0 0 16 16" aria-hidden="true">
      <GlyphShape name={name} />
    </svg>
  )
}

function GlyphShape({ name }: { readonly name: GlyphName }) {
  switch (name) {
    case 'pending':
      return <circle cx="8" cy="8" r="5" />
    case 'running':
      return (
        <>
          <circle cx="8" cy="8" r="5.5" opacity=".35" />
          <path className="arc" d="M8 2.5A5.5 5.5 0 0 1 13.5 8" strokeWidth="2.5" />
        </>
      )
    case 'ok':
      return <path d="M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM5.3 8.2l1.9 1.9 3.6-4" />
    case 'failed':
      return <path d="M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4ZM5.8 5.8l4.4 4.4m0-4.4-4.4 4.4" />
    case 'stopped':
      return <rect x="3.5" y="3.5" width="9" height="9" rx="1" fill="currentColor" stroke="none" />
    case 'waiting':
      return <path d="M8 2.2 13.8 8 8 13.8 2.2 8Z" fill="currentColor" stroke="none" />
    case 'denied':
      return <path d="M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM3.9 12.1l8.2-8.2" />
    case 'interrupted':
    case 'timed-out':
      return <path d="M10.6 2.6A6 6 0 1 1 5.4 2.6M8 4.5V8l2.3 1.6" />
    case 'not-started':
      return <path d="M5 8h6" />
    case 'unknown':
      return <path d="M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM6.2 6.3a1.8 1.8 0 1 1 2.7 1.6c-.6.3-.9.7-.9 1.3m0 2v.1" />
  }
}
