export interface OwnAddresses {
  /** The WebIDs whose Pods may be named. */
  webIds: readonly string[];
  serverUrl: string;
}

const profile = 'profile/card#me';
const address = /\bhttps?:\/\/[^\s"'<>`]*[^\s"'<>`.,;:!?)\]]/gi;

/** An error can name another person's Pod, which a caller must not learn. */
export function withoutForeignAddresses(text: string, own: OwnAddresses): string {
  const server = own.serverUrl.replace(/\/*$/, '/');
  const roots = own.webIds
    .filter((id) => id.endsWith(profile))
    .map((id) => id.slice(0, -profile.length));
  const isOwn = (url: string): boolean =>
    `${url}/` === server ||
    url === server ||
    // The server's own endpoints: login, account, discovery.
    url.startsWith(`${server}.`) ||
    roots.some((root) => url.startsWith(root) || `${url}/` === root);
  return text.replace(address, (url) => (isOwn(url) ? url : 'another address'));
}
