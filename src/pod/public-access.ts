const parts = {
  public: /(?:^|[\s,])public="([^"]*)"/i,
  user: /(?:^|[\s,])user="([^"]*)"/i,
};

/**
 * The access that everybody has to a resource, or whoever asked, by the WAC-Allow header of the
 * answer. Null without that header, as on servers with ACP.
 */
export function allowedModes(
  header: string | undefined,
  who: 'public' | 'user',
): ReadonlySet<string> | null {
  if (header === undefined) return null;
  const modes = parts[who].exec(header)?.[1] ?? '';
  return new Set(modes.toLowerCase().split(/\s+/).filter(Boolean));
}

/** Whom an answer is open to; `unknown` without that header or an answer. */
export type OpenTo = 'everybody' | 'some' | 'unknown';

export function openTo(header: string | undefined): OpenTo {
  const everybody = allowedModes(header, 'public');
  if (everybody === null) return 'unknown';
  return everybody.has('read') ? 'everybody' : 'some';
}

export interface OwnershipDoubt {
  /** Completes a sentence that begins with the address. */
  reason: string;
  /** The file would count if the Analyser were allowed to read it and nothing else. */
  readOnlyWanted: boolean;
}

/**
 * Why somebody other than its owner may have shared or written this file; null when nobody can
 * have. An inbox entry proves nothing, because anybody can add one. The key of an encrypted file
 * proves it, unless others may write the file: if the Analyser may, any login may do so too.
 */
export function findOwnershipDoubt(
  header: string | undefined,
  file: { isEncrypted: boolean },
): OwnershipDoubt | null {
  const publicModes = allowedModes(header, 'public');
  if (mayWrite(publicModes)) {
    return { reason: 'anybody may write to it, so it is nobody’s data', readOnlyWanted: false };
  }
  if (mayWrite(allowedModes(header, 'user'))) {
    return {
      reason: 'the Analyser may write to it, and so may others, perhaps: grant it read access only',
      readOnlyWanted: true,
    };
  }
  const isProven = file.isEncrypted || publicModes?.has('read') === false;
  return isProven ? null : { reason: unproven(publicModes), readOnlyWanted: false };
}

function mayWrite(modes: ReadonlySet<string> | null): boolean {
  return modes !== null && (modes.has('write') || modes.has('append'));
}

function unproven(publicModes: ReadonlySet<string> | null): string {
  const why =
    publicModes === null ? 'its server does not say who may write to it' : 'everybody may read it';
  return `${why} and it is not encrypted, so nothing shows that its owner shared it`;
}
