import { expect, test } from 'vitest';
import { samplePicture } from '../../../test/support/chart-sample.js';
import { outputBelow } from '../../../test/support/output-below.js';
import { publishers, publishingOf } from '../../../test/support/publishing.js';
import { folderForEach } from '../../../test/support/temp-folder.js';
import { configSchema } from '../../config/schema.js';
import { openChartStore } from '../../store/chart-store.js';
import { carryOut, linesOf } from './forget-scope.js';

const folder = folderForEach();

test('[8.3] the chart of an erased person goes, also where nothing of them is remembered', async () => {
  const { analyser, person } = await publishers('anna', 'ben');
  const [anna, ben] = [person('anna'), person('ben')];
  const config = configSchema.parse({
    analyser: { web_id: analyser.webId, server_url: 'https://pods.example/' },
    output: outputBelow(folder()),
  });
  const charts = openChartStore(config.output);
  for (const { podId } of [anna, ben]) await charts.write(podId, samplePicture());
  const { connection } = publishingOf(analyser, analyser.client);
  const order = { below: anna.root, isErasing: true, newRoot: null };
  const { removed, left } = await carryOut(order, config, connection);
  expect([removed, left]).toEqual([[`chart removed     ${anna.podId}`], []]);
  expect([await charts.has(anna.podId), await charts.has(ben.podId)]).toEqual([false, true]);
});

test('[8.3] the operator is told what still names an erased person', () => {
  const erasure = { removed: ['chart removed     anna'], left: ['var/run-1.json: look at it.'] };
  expect(linesOf(erasure)).toEqual([
    'chart removed     anna',
    'not erased from   var/run-1.json: look at it.',
  ]);
});
