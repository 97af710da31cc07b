import { AnalyserError, codeOf, type ErrorKind, messageOf } from '../../base/errors.js';
import { findFreePort } from '../../embedded-server/embedded-server.js';

export type DemoPorts = Record<'solid' | 'grpc' | 'http' | 'web', number>;
/** The ports that the user asks for; undefined means any free port. */
export type WantedPorts = Record<keyof DemoPorts, number | undefined>;

/** Tries the ports before anything starts, because the first server takes half a minute to fail. */
export async function choosePorts(wanted: WantedPorts): Promise<DemoPorts> {
  const taken = new Map<number, string>();
  const choose = async (name: keyof DemoPorts) => {
    const flag = `--${name}-port`;
    const refuse = (reason: string, kind: ErrorKind = 'configuration') =>
      new AnalyserError(
        kind,
        `The port ${wanted[name]} ${reason}: choose another with ${flag}, or leave ${flag} out to have a free one.`,
      );
    const port = await findFreePort(wanted[name]).catch((error: unknown) => {
      throw codeOf(error) === 'EADDRINUSE'
        ? refuse('is in use by another program', 'port')
        : refuse(`cannot be opened (${messageOf(error)})`);
    });
    const other = taken.get(port);
    if (other !== undefined) throw refuse(`is meant for ${other} already`);
    taken.set(port, flag);
    return port;
  };
  return {
    solid: await choose('solid'),
    grpc: await choose('grpc'),
    http: await choose('http'),
    web: await choose('web'),
  };
}
