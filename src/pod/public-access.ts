/** What an answer says that everybody may do with the resource (the WAC-Allow header). */
export function publicAccess(header: string | undefined): ReadonlySet<string> {
  const modes = /(?:^|[\s,])public="([^"]*)"/i.exec(header ?? '')?.[1] ?? '';
  return new Set(modes.toLowerCase().split(/\s+/).filter(Boolean));
}

/**
 * Why an entry in the inbox, which anybody can make, does not show that the owner shared this
 * file; null when it does. For what is encrypted the key shows it, unless others can write there.
 */
export function findForeignHand(
  header: string | undefined,
  file: { isEncrypted: boolean },
): string | null {
  const access = publicAccess(header);
  if (access.has('write') || access.has('append')) {
    return 'anybody may write to it, so it is nobody’s data';
  }
  if (access.has('read') && !file.isEncrypted) {
    return 'everybody may read it and it is not encrypted, so nothing shows that its owner shared it';
  }
  return null;
}
