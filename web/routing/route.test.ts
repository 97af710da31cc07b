import { describe, expect, test } from 'vitest';
import { hrefTo, parseHash, type Route } from './route.js';

describe('links to a view', () => {
  test.each<[string, Route]>([
    ['#/', { view: 'overview' }],
    ['#/pods', { view: 'pods' }],
    ['#/pods/pods.example.org-alice', { view: 'pod', podId: 'pods.example.org-alice' }],
    ['#/pods/localhost%3A3000-alice', { view: 'pod', podId: 'localhost:3000-alice' }],
    ['#/pods/a%2Fb%3Fc', { view: 'pod', podId: 'a/b?c' }],
    ['#/history', { view: 'history' }],
    ['#/runs/20261119T091500Z', { view: 'run', runId: '20261119T091500Z' }],
    [
      '#/runs/20261119T091500Z/pods/localhost%3A3000-alice',
      { view: 'run-pod', runId: '20261119T091500Z', podId: 'localhost:3000-alice' },
    ],
  ])('%s leads to its view and back', (hash, route) => {
    expect(parseHash(hash).route).toEqual(route);
    expect(hrefTo(route)).toBe(hash);
  });

  test('no hash is the overview', () => {
    expect(parseHash('').route).toEqual({ view: 'overview' });
  });

  test.each(['#/nowhere', '#/pods/a/b', '#/pods/%E0%A4%A', '#/runs/x/pods', '#/a/b/c/d/e'])(
    '%s leads nowhere',
    (hash) => {
      expect(parseHash(hash).route).toEqual({ view: 'unknown' });
    },
  );

  test('what follows the question mark is sorting and filtering', () => {
    const { route, params } = parseHash('#/pods?sort=systolic&q=al+ice');
    expect(route).toEqual({ view: 'pods' });
    expect([...params]).toEqual([
      ['sort', 'systolic'],
      ['q', 'al ice'],
    ]);
    expect(hrefTo(route, params)).toBe('#/pods?sort=systolic&q=al+ice');
  });
});
