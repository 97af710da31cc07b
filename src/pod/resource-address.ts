const LONGEST_ADDRESS = 4096;
/** A server looks for access rules at every level: a path of 1500 levels keeps a server busy for seconds. */
const MOST_LEVELS = 40;
const CONTROL = /\p{Cc}/u;

/**
 * The canonical spelling of a resource's address; null when the text is not an address. Sealed addresses come from
 * strangers: two spellings would count a file twice, and an odd spelling could slip past a rule about paths.
 */
export function canonicalResource(text: string): string | null {
  if (text.length > LONGEST_ADDRESS || CONTROL.test(text) || text !== text.trim()) return null;
  if (!/^https?:\/\/[^/]/i.test(text) || /[\\?#]/.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  const segments = url.pathname.slice(1).split('/');
  if (segments.length > MOST_LEVELS) return null;
  const canonical: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const decoded = decodeSegment(segment);
    const endsFolder = decoded === '' && index === segments.length - 1;
    if (decoded === null || (decoded === '' && !endsFolder)) return null;
    canonical.push(encodeSegment(decoded));
  }
  return `${url.origin}/${canonical.join('/')}`;
}

/** Leaves unescaped what a URL allows in a path, as the app does. */
export function encodeSegment(decoded: string): string {
  return encodeURIComponent(decoded).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}

function decodeSegment(segment: string): string | null {
  try {
    const decoded = decodeURIComponent(segment);
    const isOdd = /[/\\]/.test(decoded) || CONTROL.test(decoded) || /^\.{1,2}$/.test(decoded);
    return isOdd ? null : decoded;
  } catch {
    return null;
  }
}

/** A folder's own address ends in a slash. */
export function isFolder(url: string): boolean {
  return url.endsWith('/');
}

/** The folder that a resource or folder lies in. */
export function parentFolder(url: string): string {
  return url.slice(0, url.lastIndexOf('/', url.length - 2) + 1);
}

/**
 * The address of the folder that a path relative to the Pod names. It begins with `root` as it was given. Null without
 * a path, or if the path leads out of the Pod.
 */
export function folderInPod(path: string | null, root: string): string | null {
  if (path === null) return null;
  const folder = canonicalResource(`${root}${path.replace(/^\/+|\/+$/g, '')}/`);
  const pod = canonicalResource(root);
  if (folder === null || pod === null || !folder.startsWith(pod)) return null;
  return root + folder.slice(pod.length);
}
