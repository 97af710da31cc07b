import { createServer, type Server } from 'node:net';
import { AnalyserError, codeOf, messageOf } from '../base/errors.js';

/** A port that is in use may be free in a moment, so this is not a mistake in the configuration. */
export function portError(
  section: 'grpc' | 'web_proxy' | 'api' | 'metrics',
  { host, port }: { host: string; port: number },
  cause: unknown,
): AnalyserError {
  const isTaken = codeOf(cause) === 'EADDRINUSE';
  const reason = isTaken
    ? `is in use by another program; stop that or choose another ${section}.port`
    : `cannot be opened: ${messageOf(cause)}`;
  return new AnalyserError(
    isTaken ? 'port' : 'configuration',
    `The port ${formatAddress(host, port)} (${section}.host, ${section}.port) ${reason}.`,
    { cause },
  );
}

export async function openPort(
  server: Server,
  section: 'grpc' | 'web_proxy' | 'metrics',
  { host, port }: { host: string; port: number },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    // `on`, not `once`: later errors, such as too many open files, must not end the process.
    server.on('error', (cause) => reject(portError(section, { host, port }, cause)));
    server.listen({ host, port }, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Rejects if the port cannot be opened, before anything is started that would have to end for it. */
export async function requireFreePort(
  section: 'grpc',
  where: { host: string; port: number },
): Promise<void> {
  const probe = createServer();
  await openPort(probe, section, where);
  await new Promise((resolve) => probe.close(resolve));
}

export function formatAddress(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
