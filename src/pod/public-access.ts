import { type NotRead, notRead } from './outcome.js';

const parts = {
  public: /(?:^|[\s,])public="([^"]*)"/i,
  user: /(?:^|[\s,])user="([^"]*)"/i,
};

/**
 * The access of everybody, or of the client that asked, by the WAC-Allow header of the answer. Null without
 * that header, as on servers with ACP.
 */
export function allowedModes(
  header: string | undefined,
  who: 'public' | 'user',
): ReadonlySet<string> | null {
  if (header === undefined) return null;
  const modes = parts[who].exec(header)?.[1] ?? '';
  return new Set(modes.toLowerCase().split(/\s+/).filter(Boolean));
}

/** To whom a resource is open; `unknown` without that header or an answer. */
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
 * Why there is no proof that its owner shared a plain file; null when there is proof. An entry of the inbox is not
 * proof, because anybody can add an entry. Where the Analyser may write, others may write as well.
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
