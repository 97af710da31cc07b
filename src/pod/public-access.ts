import { type NotRead, notRead } from './outcome.js';

const parts = {
  public: /(?:^|[\s,])public="([^"]*)"/i,
  user: /(?:^|[\s,])user="([^"]*)"/i,
};

/**
 * The access modes of everybody (`public`), or of the client that asked (`user`), from the WAC-Allow header of an
 * answer. Null without this header: servers with Access Control Policies do not send it.
 */
export function allowedModes(
  header: string | undefined,
  who: 'public' | 'user',
): ReadonlySet<string> | null {
  if (header === undefined) return null;
  const modes = parts[who].exec(header)?.[1] ?? '';
  return new Set(modes.toLowerCase().split(/\s+/).filter(Boolean));
}

/** To whom a resource is open; `unknown` without the header WAC-Allow or without an answer. */
export type OpenTo = 'everybody' | 'some' | 'unknown';

export function openTo(header: string | undefined): OpenTo {
  const everybody = allowedModes(header, 'public');
  if (everybody === null) return 'unknown';
  return everybody.has('read') ? 'everybody' : 'some';
}

/** Whether everybody, or the Analyser, may change a resource; false without the header. */
export function mayBeWritten(header: string | undefined, who: 'public' | 'user'): boolean {
  const modes = allowedModes(header, who);
  return modes !== null && (modes.has('write') || modes.has('append'));
}

/**
 * Returns why a plain file does not prove that its owner shared it; null when it does. An entry of the inbox is no
 * proof, because anybody can add an entry. Where the Analyser may write, others may be allowed to write as well.
 */
export function findUnproven(header: string | undefined): NotRead | null {
  if (mayBeWritten(header, 'user')) {
    return notRead(
      'unproven',
      'it is not encrypted, and the Analyser may write to it, and so may others, perhaps: grant it read access only',
    );
  }
  const publicModes = allowedModes(header, 'public');
  if (publicModes !== null && !publicModes.has('read')) return null;
  const why =
    publicModes === null ? 'its server does not say who may write to it' : 'everybody may read it';
  const reason = `${why} and it is not encrypted, so nothing shows that its owner shared it`;
  return notRead('unproven', reason);
}
