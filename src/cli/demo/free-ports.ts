import { once } from 'node:events';
import { createServer } from 'node:net';
import { AnalyserError, messageOf } from '../../base/errors.js';
import { findFreePort } from '../../embedded-server/embedded-server.js';

export type DemoPorts = Record<'solid' | 'grpc' | 'http', number>;
/** Any that is left out is a free one. */
export type WantedPorts = Record<keyof DemoPorts, number | undefined>;

/** Tries the ports before anything starts, as the first server takes half a minute to fail. */
export async function choosePorts(wanted: WantedPorts): Promise<DemoPorts> {
  const taken = new Map<number, string>();
  const choose = async (name: keyof DemoPorts) => {
    const [port, flag] = [wanted[name] ?? (await findFreePort()), `--${name}-port`];
    const other = taken.get(port);
    if (other !== undefined) throw portTaken(flag, port, `is meant for ${other} already`);
    taken.set(port, flag);
    if (wanted[name] !== undefined) await requireFree(port, flag);
    return port;
  };
  return { solid: await choose('solid'), grpc: await choose('grpc'), http: await choose('http') };
}

async function requireFree(port: number, flag: string): Promise<void> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = isTaken
      ? 'is in use by another program'
      : `cannot be opened (${messageOf(error)})`;
    throw portTaken(flag, port, reason);
  }
  probe.close();
  await once(probe, 'close');
}

function portTaken(flag: string, port: number, reason: string): AnalyserError {
  const message = `The port ${port} ${reason}: choose another with ${flag}, or leave ${flag} out to have a free one.`;
  return new AnalyserError('configuration', message);
}
