import { expect, test } from 'vitest';
import { pageAddress } from './page-address.js';

/** Where a browser ends up that follows the link on the page, below a path of a proxy. */
function follow(from: string, link: string): string {
  const { pathname, search } = new URL(link, `https://proxy.example${from}`);
  return pathname + search;
}

test.each(['', '/cohort'])('links lead to the other pages, with %j in front', (proxy) => {
  for (const path of ['/', '/pods?q=x', '/pods/localhost%3A3000-alice', '/runs/r/pods/a%2Fb?x=1']) {
    const { root } = pageAddress(path, null);
    expect(follow(proxy + path, `${root}history`)).toBe(`${proxy}/history`);
  }
  for (const path of ['/runs/r', '/runs/r/pods', '/runs/r/pods/a%2Fb']) {
    const { run } = pageAddress(path, 'r');
    expect(follow(proxy + path, `${run}warnings`)).toBe(`${proxy}/runs/r/warnings`);
  }
});

test('a page is asked for again with other parameters, and keeps the rest', () => {
  const address = pageAddress('/pods?sort=last&refresh=10', null);
  expect(follow('/pods', address.here({}))).toBe('/pods?sort=last&refresh=10');
  expect(follow('/pods', address.here({ sort: '-last' }))).toBe('/pods?sort=-last&refresh=10');
  expect(follow('/pods', address.here({ sort: null, refresh: null }))).toBe('/pods');
});

test.each(['/', '/pods/localhost:3000-alice', '/pods/javascript:alert(1)', '/pods//evil.example'])(
  'a page at %s leads to itself, and to no other scheme or host',
  (path) => {
    expect(new URL(pageAddress(path, null).here({}), `https://own.example${path}`).href).toBe(
      `https://own.example${path}`,
    );
  },
);
