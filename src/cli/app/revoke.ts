import { countOf } from '../../base/sentences.js';
import { revokeReadings } from '../../client/shares.js';
import type { ModeContext } from '../mode.js';
import { createProgress } from '../progress.js';
import { type AppFlags, requireAnalyser } from './app-settings.js';
import { withOwnPod } from './with-own-pod.js';

export function revoke(context: ModeContext, flags: AppFlags): Promise<void> {
  return withOwnPod(context, flags, async (ownPod, app, signal) => {
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
}
