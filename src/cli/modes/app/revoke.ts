import { countOf } from '../../../base/count-of.js';
import { revokeReadings } from '../../../client/shares.js';
import { requireAnalyser } from '../../app/app-settings.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import type { Mode } from '../../mode.js';
import { createProgress } from '../../progress.js';

export const mode: Mode = (context) => {
  return withOwnPod(context, async (ownPod, app, signal) => {
    const { analyserWebId } = requireAnalyser(app);
    const count = await revokeReadings(ownPod, analyserWebId, {
      onProgress: createProgress(process.stderr)('Taking back'),
      signal,
    });
    context.print(
      count === 0
        ? `Nothing was shared with ${analyserWebId}.`
        : `Taken back from ${analyserWebId}: ${countOf(count, 'share')}. From its next analysis on your Pod is not part of it.`,
    );
  });
};
