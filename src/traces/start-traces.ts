import { isMainThread } from 'node:worker_threads';
import type * as OpenTelemetry from '@opentelemetry/api';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { ObservedEvent, Observer } from '../run/observer.js';

/**
 * Sends one span for each analysis, step and request to where the standard variables of
 * OpenTelemetry say. Spans leave the machine, so they carry outcomes and status codes, never a
 * message, which could name a Pod.
 */
export interface Traces {
  observer: Observer;
  /** Sends what is left. */
  stop: () => Promise<void>;
}

const packages =
  '@opentelemetry/api @opentelemetry/resources @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http';

/** Null when the optional packages are not installed. */
export async function startTraces(log: Logger): Promise<Traces | null> {
  const loaded = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]).catch((error: unknown) => {
    // The analysis thread starts traces as well, and one log line is enough.
    if (isMainThread)
      log.warn({ err: error }, `Nothing is traced: install the optional packages ${packages}.`);
    return null;
  });
  if (loaded === null) return null;
  const [api, sdk, resources, exporter] = loaded;
  reportFirstProblem(api.diag, log);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const provider = new sdk.NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'bp-analyser' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  });
  provider.register();
  return {
    observer: createObserver(api),
    // Spans that cannot be sent are lost, which must not make a good analysis fail.
    stop: () => provider.shutdown().catch((error: unknown) => api.diag.error(messageOf(error))),
  };
}

type Api = typeof OpenTelemetry;

function createObserver(api: Api): Observer {
  const { trace, context, propagation, SpanKind, SpanStatusCode } = api;
  const tracer = trace.getTracer('bp-analyser');

  async function within<T>(span: OpenTelemetry.Span, work: () => Promise<T>): Promise<T> {
    try {
      return await context.with(trace.setSpan(context.active(), span), work);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    call(traceparent, work) {
      const caller = propagation.extract(context.active(), { traceparent });
      const span = tracer.startSpan('analysis', { kind: SpanKind.SERVER }, caller);
      const carrier: Record<string, string> = {};
      propagation.inject(trace.setSpan(caller, span), carrier);
      return within(span, () =>
        work({
          traceparent: carrier['traceparent'],
          began: () => span.addEvent('has its turn'),
          ended(outcome) {
            span.setAttribute('bp_analyser.outcome', outcome);
            if (outcome === 'FAILED') span.setStatus({ code: SpanStatusCode.ERROR });
          },
        }),
      );
    },
    within(traceparent, work) {
      return context.with(propagation.extract(context.active(), { traceparent }), work);
    },
    step: (name, work) => within(tracer.startSpan(name), work),
    note: (event) => note(event, { api, tracer }),
  };
}

function note(
  event: ObservedEvent,
  { api, tracer }: { api: Api; tracer: OpenTelemetry.Tracer },
): void {
  const { trace, SpanKind, SpanStatusCode } = api;
  if (event.kind === 'request') {
    const { method, outcome, milliseconds } = event;
    const end = performance.timeOrigin + performance.now();
    const span = tracer.startSpan(method, {
      kind: SpanKind.CLIENT,
      startTime: end - milliseconds,
      attributes: {
        'http.request.method': method,
        ...('status' in outcome
          ? { 'http.response.status_code': outcome.status }
          : { 'error.type': outcome.failure }),
      },
    });
    if (!('status' in outcome)) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  } else if (event.kind === 'files' || event.kind === 'entries') {
    const { kind, ...counts } = event;
    for (const [name, count] of Object.entries(counts)) {
      trace.getActiveSpan()?.setAttribute(`bp_analyser.${kind}_${name}`, count);
    }
  }
}

/** Logs once that the collector is away; every later batch would say the same. */
function reportFirstProblem(diag: Api['diag'], log: Logger): void {
  let told = false;
  const tell = (message: string) => {
    log[told ? 'debug' : 'warn']({ reason: message.slice(0, 300) }, 'Traces cannot be sent.');
    told = true;
  };
  const ignore = () => undefined;
  diag.setLogger({ error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore });
}
