import type { Config } from '../../config/schema.js';
import type {
  CohortAverageDocument,
  PodAverageDocument,
} from '../../documents/published-document.js';
import { encodeSegment } from '../../pod/resource-address.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import type { PodResult } from '../read/pod-result.js';
import { buildCohortAverage, buildPodAverage } from './build-published.js';
import type { CohortDisclosure } from './what-readers-see.js';

/** One document and the WebIDs that may open it. */
export interface Delivery {
  kind: 'pod-average' | 'cohort-average';
  podId: string;
  url: string;
  document: PodAverageDocument | CohortAverageDocument;
  readers: readonly string[];
}

export interface DeliverySettings {
  sharing: Config['sharing'];
  analyser: Pick<UnlockedPod, 'webId' | 'documents'>;
  generatedAt: string;
  disclose: CohortDisclosure;
}

export function ownDelivery(
  settings: DeliverySettings,
  pod: PodResult,
  chart: Buffer | null,
): Delivery {
  const { webId, podId } = pod.owner;
  return {
    kind: 'pod-average',
    podId,
    url: ownAddress(settings, podId),
    document: buildPodAverage(common(settings, [webId]), { ...pod, chart }),
    readers: [webId],
  };
}

/** One document for all of them, so it says only what every one of them may be told. */
export function cohortDelivery(settings: DeliverySettings, readers: readonly string[]): Delivery {
  return {
    kind: 'cohort-average',
    podId: 'cohort',
    url: addressOf(settings, 'cohort', 'bp-cohort-average'),
    document: buildCohortAverage(common(settings, readers)),
    readers,
  };
}

export function ownAddress(
  settings: Pick<DeliverySettings, 'sharing' | 'analyser'>,
  podId: string,
) {
  return addressOf(settings, podId, 'bp-average');
}

function common({ analyser, generatedAt, disclose }: DeliverySettings, readers: readonly string[]) {
  return { generatedAt, analyserWebId: analyser.webId, cohort: disclose(readers) };
}

/** Predictable, because readers compute it; a port in a pod_id keeps its colon. */
function addressOf(
  { sharing, analyser }: Pick<DeliverySettings, 'sharing' | 'analyser'>,
  folder: string,
  name: string,
): string {
  const suffix = sharing.encrypt_results ? '.json.enc.ttl' : '.json';
  const folders = ['data', ...sharing.results_dir.split('/')].map(encodeSegment);
  // A pod_id is the part of an address already, spelled as its owner's app spells it.
  return `${analyser.documents.app}${folders.join('/')}/${folder}/${name}${suffix}`;
}
