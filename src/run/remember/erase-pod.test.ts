import { expect, test } from 'vitest';
import { publishers, publishingOf } from '../../../test/support/publishing.js';
import { samplePod, sampleResults } from '../../../test/support/results-sample.js';
import { folderForEach } from '../../../test/support/temp-folder.js';
import { configSchema } from '../../config/schema.js';
import { restrictToReaders } from '../../pod/access-control.js';
import { openResultsStore } from '../../store/results-store.js';
import { erasePod, withoutPod } from './erase-pod.js';

const stored = folderForEach();

const root = 'https://pods.example.org/alice/';
const webId = `${root}profile/card#me`;
const podId = 'pods.example.org-alice';
const bob = 'pods.example.org-bob';

test('[8.3] nothing of an erased person stands in a stored run, and all of everybody else stays', () => {
  const of = (person: string, pod_id: string) => ({
    kind: 'pod-average' as const,
    pod_id,
    resource_url: `https://pods.example.org/analyser/app/data/analyser/${pod_id}/bp-average.json.enc.ttl`,
    recipients: [person],
    failures: {},
  });
  const cohort = {
    ...of(webId, 'cohort'),
    kind: 'cohort-average' as const,
    recipients: [samplePod(bob).web_id],
    failures: { [webId]: 'It is full.' },
  };
  const document = {
    ...sampleResults('20260819T091500Z', [podId, bob]),
    requested_by: webId,
    charts: { pods: { [podId]: `${podId}.png`, [bob]: `${bob}.png` } },
    sharing: { enabled: true, published: [of(webId, podId), cohort] },
    // By the root of the Pod, which is not always followed by the rest of the WebID.
    warnings: [
      `${root}app/data/1.enc.ttl: no key`,
      `of ${webId}`,
      `The result of the cohort was not published: ${of(webId, podId).resource_url} gave no answer.`,
      'https://pods.example.org/x',
    ],
  };
  const erased = withoutPod(document, root, podId);
  expect(JSON.stringify(erased)).not.toMatch(/alice/);
  expect(erased.pods).toEqual([samplePod(bob)]);
  expect(erased.charts.pods).toEqual({ [bob]: `${bob}.png` });
  expect(erased.warnings).toEqual(['https://pods.example.org/x']);
  expect(erased.sharing.published.map(({ recipients }) => recipients)).toEqual([
    [samplePod(bob).web_id],
  ]);
  // Whoever only begins like them is somebody else.
  const other = withoutPod(document, 'https://pods.example.org/ali/', 'pods.example.org-ali');
  expect(other).toEqual(document);
});

test('[8.3] the result of an erased person goes from the Pod of the Analyser, encrypted or not', async () => {
  const { server, analyser, person } = await publishers('anna', 'ben');
  const [anna, ben] = [person('anna'), person('ben')];
  const below = ({ podId }: typeof anna) => `${analyser.root}app/data/analyser/${podId}/`;
  for (const each of [anna, ben]) {
    for (const name of ['bp-average.json.enc.ttl', 'bp-average.json']) {
      server.put(below(each) + name, '{}', 'application/json');
      const access = { ownerWebId: analyser.webId, readers: [each.webId] };
      await restrictToReaders(analyser.client, below(each) + name, access);
    }
  }
  const config = configSchema.parse({
    analyser: { web_id: analyser.webId, server_url: 'https://pods.example/' },
  });
  const { connection } = publishingOf(analyser, analyser.client);
  const results = openResultsStore(stored());
  const { left } = await erasePod({
    connection,
    config,
    results,
    root: anna.root,
    podId: anna.podId,
  });
  expect(left).toEqual([]);
  expect(server.below(below(anna))).toEqual([]);
  expect(server.below(below(ben))).toHaveLength(4);
});
