import type { Config } from '../config/schema.js';
import type { CohortAverageDocument, PodAverageDocument } from '../documents/published-document.js';
import { encodeSegment } from '../pod/resource-address.js';
import type { UnlockedPod } from '../pod/unlock-pod.js';
import { buildCohortAverage, buildPodAverage } from './build-published.js';
import type { CohortDisclosure } from './cohort-disclosure.js';
import type { PodResult } from './pod-result.js';

/** One document and the WebIDs that may open it. */
export interface Delivery {
  kind: 'pod-average' | 'cohort-average';
  podId: string;
  url: string;
  document: PodAverageDocument | CohortAverageDocument;
  recipients: string[];
}

export interface DeliveryPlan {
  sharing: Config['sharing'];
  analyser: Pick<UnlockedPod, 'webId' | 'documents'>;
  generatedAt: string;
  pods: readonly PodResult[];
  pictures: ReadonlyMap<string, Buffer>;
  disclose: CohortDisclosure;
}

/** Each recipient's own result, then the one cohort document for all of them. */
export function planDeliveries(plan: DeliveryPlan): Delivery[] {
  const { sharing, pods, generatedAt } = plan;
  const analyserWebId = plan.analyser.webId;
  if (!sharing.enabled || pods.length === 0) return [];
  const own = pods.map((pod): Delivery => {
    const { webId, podId } = pod.owner;
    const common = { generatedAt, analyserWebId, cohort: plan.disclose([webId]) };
    const chart = plan.pictures.get(podId) ?? null;
    return {
      kind: 'pod-average',
      podId,
      url: addressOf(plan, podId, 'bp-average'),
      document: buildPodAverage(common, { ...pod, chart }),
      recipients: [webId],
    };
  });
  if (!sharing.share_cohort_average) return own;
  const recipients = pods.map(({ owner }) => owner.webId);
  const common = { generatedAt, analyserWebId, cohort: plan.disclose(recipients) };
  const cohort: Delivery = {
    kind: 'cohort-average',
    podId: 'cohort',
    url: addressOf(plan, 'cohort', 'bp-cohort-average'),
    document: buildCohortAverage(common),
    recipients,
  };
  return [...own, cohort];
}

/** Predictable, because readers compute it; a port in a pod_id keeps its colon. */
function addressOf(
  { sharing, analyser }: Pick<DeliveryPlan, 'sharing' | 'analyser'>,
  folder: string,
  name: string,
): string {
  const suffix = sharing.encrypt_results ? '.json.enc.ttl' : '.json';
  const folders = ['data', ...sharing.results_dir.split('/')].map(encodeSegment);
  // A pod_id is the part of an address already, spelled as its owner's app spells it.
  return `${analyser.documents.app}${folders.join('/')}/${folder}/${name}${suffix}`;
}
