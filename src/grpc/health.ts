import type {
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { AnalyserClient } from '../generated/healthpod/analyser/v1/analyser.js';

type ServingStatus = 'SERVING' | 'NOT_SERVING';
interface Request {
  service: string;
}
interface Response {
  status: ServingStatus | 'SERVICE_UNKNOWN';
}

/** The server as a whole, and its one service. */
const services = ['', AnalyserClient.serviceName];

/** Bounds the watches, which stay open as long as their callers like. */
const mostWatchers = 1000;

/**
 * Implements grpc.health.v1 with the definition of grpc-health-check. That package's own
 * implementation keeps every name that was ever watched, so a caller could fill the memory.
 */
export class Health {
  #status: ServingStatus = 'NOT_SERVING';
  readonly #watchers = new Set<(response: Response) => void>();

  set(serving: boolean): void {
    const next = serving ? 'SERVING' : 'NOT_SERVING';
    if (next === this.#status) return;
    this.#status = next;
    for (const notify of this.#watchers) notify({ status: next });
  }

  /** `recheck` is called whenever somebody asks. */
  constructor(private readonly recheck: () => void) {}

  readonly handlers: UntypedServiceImplementation = {
    check: (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) => {
      this.recheck();
      if (services.includes(call.request.service)) callback(null, { status: this.#status });
      else callback({ code: status.NOT_FOUND, details: 'The service is not known here.' });
    },

    watch: (call: ServerWritableStream<Request, Response>) => {
      this.recheck();
      if (this.#watchers.size >= mostWatchers) {
        call.emit('error', {
          code: status.RESOURCE_EXHAUSTED,
          details: 'There are too many watchers already.',
        });
        return;
      }
      const isKnown = services.includes(call.request.service);
      const notify = (response: Response) => isKnown && call.write(response);
      this.#watchers.add(notify);
      call.on('cancelled', () => this.#watchers.delete(notify));
      call.write({ status: isKnown ? this.#status : 'SERVICE_UNKNOWN' });
    },

    list: (_call: unknown, callback: sendUnaryData<{ statuses: Record<string, Response> }>) => {
      this.recheck();
      callback(null, {
        statuses: Object.fromEntries(services.map((name) => [name, { status: this.#status }])),
      });
    },
  };
}
