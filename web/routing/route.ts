/** Where the page is: everything that a shared link carries. */
export type Route =
  | { view: 'overview' }
  | { view: 'pods' }
  | { view: 'pod'; podId: string }
  | { view: 'history' }
  | { view: 'warnings' }
  | { view: 'run'; runId: string }
  | { view: 'run-pod'; runId: string; podId: string }
  | { view: 'unknown' };

export interface Place {
  route: Route;
  /** Sorting and filtering; changing them is not a navigation. */
  params: URLSearchParams;
}

export function parseHash(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  return { route: parsePath(path), params: new URLSearchParams(query) };
}

function parsePath(path: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const decoded = parts.map(decode);
  const [first, second, third, fourth] = decoded;
  if (decoded.includes(null) || decoded.length > 4) return { view: 'unknown' };
  if (first === undefined) return { view: 'overview' };
  if (first === 'pods' && third === undefined) {
    return typeof second === 'string' ? { view: 'pod', podId: second } : { view: 'pods' };
  }
  if (first === 'history' && second === undefined) return { view: 'history' };
  if (first === 'warnings' && second === undefined) return { view: 'warnings' };
  if (first === 'runs') {
    if (typeof second !== 'string') return { view: 'history' };
    if (third === undefined) return { view: 'run', runId: second };
    if (third === 'pods' && typeof fourth === 'string') {
      return { view: 'run-pod', runId: second, podId: fourth };
    }
  }
  return { view: 'unknown' };
}

/** A pod_id can hold a colon (`localhost:3000-alice`), so every part is encoded. */
export function hrefTo(route: Route, params?: URLSearchParams): string {
  const query = params === undefined || params.size === 0 ? '' : `?${params.toString()}`;
  return `#${pathOf(route)}${query}`;
}

function pathOf(route: Route): string {
  const encode = encodeURIComponent;
  switch (route.view) {
    case 'overview':
    case 'unknown':
      return '/';
    case 'pods':
      return '/pods';
    case 'history':
      return '/history';
    case 'warnings':
      return '/warnings';
    case 'pod':
      return `/pods/${encode(route.podId)}`;
    case 'run':
      return `/runs/${encode(route.runId)}`;
    case 'run-pod':
      return `/runs/${encode(route.runId)}/pods/${encode(route.podId)}`;
  }
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
