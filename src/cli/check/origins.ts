import type { OriginSet } from '../../base/origin-set.js';
import { type Finding, notice } from './finding.js';

/** Anybody can share an address that is anywhere, so nothing is asked there without the operator. */
export function judgeOrigins(urls: readonly string[], allowed: OriginSet): Finding[] {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const { origin } = new URL(url);
    if (!allowed.has(origin)) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  return [...counts].map(([origin, count]) =>
    notice(
      `${count} shared ${count === 1 ? 'resource is' : 'resources are'} on ${origin}, where nothing is read: add it to data.allowed_origins if its Pods are to take part.`,
    ),
  );
}
