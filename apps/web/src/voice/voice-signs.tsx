const PATHS = {
  speaker: 'M2.5 6.2h2.4L8 3.4v9.2L4.9 9.8H2.5ZM10.4 6a2.8 2.8 0 0 1 0 4M12.2 4.2a5.4 5.4 0 0 1 0 7.6',
  microphone: 'M8 9.6a2 2 0 0 0 2-2V4a2 2 0 1 0-4 0v3.6a2 2 0 0 0 2 2ZM4 7.6a4 4 0 0 0 8 0M8 11.6V14',
  pause: 'M6 4v8M10 4v8',
  play: 'M5.5 3.8v8.4L12 8Z',
  silent: 'M4.5 4.5h7v7h-7Z',
} as const

/** A sign of voice beside words that say the same. */
export function VoiceSign({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
