import { createLogger } from '../../src/base/logger.js';
import { webProxySchema } from '../../src/config/schema.js';
import { startWebProxy } from '../../src/web-proxy/start-web-proxy.js';

interface PassThrough extends AsyncDisposable {
  /** As a page calls it. */
  url: string;
  port: number;
  log(): string;
}

/** The proxy in front of a gRPC port of this machine, on a free port. */
export async function passThrough(
  grpcPort: number,
  sections: { web_proxy?: Record<string, unknown>; grpc?: Record<string, unknown> } = {},
): Promise<PassThrough> {
  const lines: string[] = [];
  const log = createLogger({ verbose: true, stream: { write: (line) => void lines.push(line) } });
  const config = webProxySchema.parse({
    web_proxy: { port: 0, ...sections.web_proxy },
    grpc: { host: '127.0.0.1', port: grpcPort, ...sections.grpc },
  });
  const proxy = await startWebProxy({ ...config, log });
  const { port } = proxy;
  const scheme = config.web_proxy.tls_cert_file === null ? 'http' : 'https';
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    log: () => lines.join(''),
    [Symbol.asyncDispose]: () => proxy.stop(0),
  };
}
