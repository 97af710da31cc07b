import { expect, test } from 'vitest';
import { rootOf } from './page-address.js';

test.each(['', '/cohort'])('links lead to the other pages, with %j in front', (proxy) => {
  for (const path of [
    '/',
    '/history?days=7',
    '/runs/r',
    '/runs/r/pods',
    '/runs/r/pods/a%2Fb?x=/1',
  ]) {
    const { pathname } = new URL(`${rootOf(path)}history`, `https://proxy.example${proxy}${path}`);
    expect(pathname).toBe(`${proxy}/history`);
  }
});
