import { AnalyserError } from '../../base/errors.js';
import { callAnalyse } from '../../client/calls.js';
import { AnalyseStatus } from '../../generated/healthpod/analyser/v1/analyser.js';
import { requireWebId } from '../../pod/addresses.js';
import { printReply, withService } from '../analyser-call.js';
import { exitCodes } from '../exit-codes.js';
import { untilInterrupted } from '../interruption.js';
import type { Mode, ModeContext } from '../mode.js';
import { countSeconds } from '../progress.js';

/** How long the app waits for a reply. */
const usualDeadlineSeconds = 360;

export const mode: Mode = {
  async run(context) {
    const webId = requireWebId(context.args[0] ?? '').webId;
    const shared = readNumber(context, 'shared') ?? 0;
    const timeout = readNumber(context, 'timeout');
    return await untilInterrupted((signal) =>
      withService(context, async (connection, login, { grpc }) => {
        const seconds =
          timeout ?? Math.max(usualDeadlineSeconds, grpc.analysis_timeout_seconds + 60);
        const ended = countSeconds(process.stderr, 'Waiting for the reply; Ctrl-C hangs up.');
        const deadlineMs = seconds * 1000;
        const limits = { deadlineMs, signal, login };
        const reply = await callAnalyse(connection, webId, shared, limits).finally(ended);
        printReply(context, reply, [
          ['status', reply.status],
          ['run id', reply.run_id],
          ['generated at', reply.generated_at],
          ['observations', reply.observation_count],
          ['files read', reply.files_read],
          ['files skipped', reply.files_skipped],
          ['contributing Pods', reply.pod_count],
          ['published', reply.published],
          ['result URL', reply.result_url],
          ['message', reply.message],
        ]);
        return reply.status === AnalyseStatus.ANALYSE_STATUS_COMPLETED
          ? exitCodes.ok
          : exitCodes.failed;
      }),
    );
  },
};

function readNumber({ options }: ModeContext, name: string): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^\d{1,6}$/.test(text)) return Number(text);
  throw new AnalyserError(
    'configuration',
    `--${name} must be a whole number of at most six digits.`,
  );
}
