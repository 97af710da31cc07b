import { type ServiceOptions, startAnalyserService } from '../support/analyser-service.js';
import { atEnd } from '../support/at-end.js';
import type { InitialisedPod } from '../support/initialised-pod.js';
import { PlainClient } from './plain-client.js';

export interface RealService extends AsyncDisposable {
  /** Knows the service by its .proto alone. */
  client: PlainClient;
  port: number;
  /** Its var/. */
  folder: string;
}

/**
 * The whole service, asked as an app in another language asks it, until the test file ends. Tries every 100 ms to get
 * ready.
 */
export async function startRealService(
  analyser: InitialisedPod,
  baseUrl: string,
  options: ServiceOptions = {},
): Promise<RealService> {
  const pauses = { firstMs: 100, longestMs: 100 };
  const service = await startAnalyserService({ baseUrl }, analyser, { pauses, ...options });
  const client = new PlainClient(service.port);
  return {
    client,
    port: service.port,
    folder: service.folder,
    [Symbol.asyncDispose]: atEnd(async () => {
      client.close();
      await service.stop();
    }),
  };
}
