import { callAnalyse } from '../../client/calls.js';
import { AnalyseStatus } from '../../generated/healthpod/analyser/v1/analyser.js';
import { requireWebId } from '../../pod/addresses.js';
import { withService } from '../analyser-call.js';
import { exitCodes } from '../exit-codes.js';
import { untilInterrupted } from '../interruption.js';
import type { Mode } from '../mode.js';
import { parseNumberFlag } from '../parse-flag.js';
import { printFields } from '../print-fields.js';
import { countSeconds } from '../progress.js';

/** How long the app waits for a reply. */
const usualDeadlineSeconds = 360;

export const mode: Mode = (context) => {
  const webId = requireWebId(context.args[0] ?? '').webId;
  const numberOf = (name: string) => parseNumberFlag(`--${name}`, context.value(name), 0, 999_999);
  const [shared = 0, timeout] = [numberOf('shared'), numberOf('timeout')];
  return untilInterrupted((signal) =>
    withService(context, async (connection, login, { grpc }) => {
      const seconds = timeout ?? Math.max(usualDeadlineSeconds, grpc.analysis_timeout_seconds + 60);
      const ended = countSeconds(process.stderr, 'Waiting for the reply; Ctrl-C hangs up.');
      const limits = { deadlineMs: seconds * 1000, signal, login };
      const reply = await callAnalyse(connection, webId, shared, limits).finally(ended);
      printFields(context, reply, [
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
      const isCompleted = reply.status === AnalyseStatus.ANALYSE_STATUS_COMPLETED;
      return isCompleted ? exitCodes.ok : exitCodes.failed;
    }),
  );
};
