import type { Entry } from '@holdfast/conversation'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createSpanObserver } from './span-observer.ts'

/** Spans on their way to a collector. */
export interface Tracing {
  observe(entry: Entry): void
  /** Sends what has gathered, and ends. */
  close(): Promise<void>
}

/** Sends spans to a collector that takes OTLP over HTTP; `endpoint` is its base address. */
export function openTracing({ endpoint, version }: { readonly endpoint: string; readonly version: string }): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5_000 })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'holdfast', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  return {
    observe: createSpanObserver(provider.getTracer('holdfast', version)),
    close: () => provider.shutdown(),
  }
}
