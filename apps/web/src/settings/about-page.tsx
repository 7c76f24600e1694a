import type { Client } from '@holdfast/client'
import type { ReactNode } from 'react'
import { BASE_PATH } from '../shared/address.ts'
import { useAsked } from '../shared/ask-server.ts'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'

/** What this program is, which version runs where, and where more is said. */
export function AboutPage({ client }: { readonly client: Client }) {
  const [{ value: version }] = useAsked(client.readVersion)
  return (
    <section aria-label={say('settings.about')}>
      <p>{say('about.what-it-is')}</p>
      <dl className="about-facts" data-testid="about">
        <div>
          <dt>{say('about.version')}</dt>
          <dd>{version ?? '…'}</dd>
        </div>
        <div>
          <dt>{say('about.this-server')}</dt>
          <dd dir="ltr">{location.host}</dd>
        </div>
        <div>
          <dt>{say('about.license')}</dt>
          <dd dir="ltr">Apache-2.0</dd>
        </div>
      </dl>
      <p>
        <Said
          of="about.for-programs"
          values={{}}
          tags={{
            docs: (inner) => <OtherPage path="/docs/">{inner}</OtherPage>,
            api: (inner) => <OtherPage path="/docs/api">{inner}</OtherPage>,
          }}
        />
      </p>
      <p className="meta">
        <Said of="about.look-after" values={{}} tags={{ code: (inner) => <code dir="ltr">{inner}</code> }} />
      </p>
    </section>
  )
}

/** A page of this server beside the page. */
function OtherPage({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  return (
    <a className="link-button" href={`${BASE_PATH}${path}`} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
