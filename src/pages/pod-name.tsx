import type { PodRecord } from '../documents/results-document.js';

type Named = Pick<PodRecord, 'pod_id' | 'pod_root'>;

/** Splits `pods.example.org-alice` where the Pod's root says that its name begins. */
export function splitPodId({ pod_id, pod_root }: Named): { host: string; name: string } {
  const name = pod_root.split('/').findLast((part) => part !== '') ?? '';
  return name !== '' && pod_id.endsWith(`-${name}`)
    ? { host: pod_id.slice(0, -name.length), name }
    : { host: '', name: pod_id };
}

/** The pod_id as it is, with the part that people know it by set apart. */
export function PodLabel({ pod }: { pod: Named }) {
  const { host, name } = splitPodId(pod);
  return (
    <>
      <span class="muted">{host}</span>
      <wbr />
      <bdi>
        <b>{name}</b>
      </bdi>
    </>
  );
}
