import type { PodEntry } from '../../src/documents/results-document.js';

export interface PodName {
  /** The part of pod_id that names the server; empty when it cannot be told apart. */
  host: string;
  name: string;
}

/** The host that all Pods are on; empty when there are several. */
export function commonHost(pods: readonly Pick<PodEntry, 'pod_id' | 'pod_root'>[]): string {
  const [host = '', ...others] = new Set(pods.map((pod) => splitPodId(pod).host));
  return others.length === 0 ? host : '';
}

/** Splits `pods.example.org-alice` where the Pod's root says that its name begins. */
export function splitPodId({ pod_id, pod_root }: Pick<PodEntry, 'pod_id' | 'pod_root'>): PodName {
  const name = pod_root.split('/').findLast((part) => part !== '') ?? '';
  return name !== '' && pod_id.endsWith(`-${name}`)
    ? { host: pod_id.slice(0, -name.length), name }
    : { host: '', name: pod_id };
}
