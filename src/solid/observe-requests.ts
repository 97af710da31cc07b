import { ServerError, type ServerFailure } from '../base/errors.js';
import type { Transport } from './requests/transport.js';
import type { SolidMethod } from './solid-client.js';

/** The outcome of one exchange, for metrics; it holds no address. */
export interface RequestEvent {
  method: SolidMethod;
  outcome: { status: number } | { failure: ServerFailure | 'aborted' };
  milliseconds: number;
}

export function observeRequests(
  send: Transport['send'],
  onRequest: (event: RequestEvent) => void,
): Transport['send'] {
  return async (exchange) => {
    const { method } = exchange;
    const startedAt = performance.now();
    const report = (outcome: RequestEvent['outcome']): void =>
      onRequest({ method, outcome, milliseconds: performance.now() - startedAt });
    try {
      const answer = await send(exchange);
      report({ status: answer.status });
      return answer;
    } catch (error) {
      report({ failure: error instanceof ServerError ? error.failure : 'aborted' });
      throw error;
    }
  };
}
