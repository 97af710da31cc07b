import { callCancel } from '../../client/calls.js';
import { CancelStatus } from '../../generated/healthpod/analyser/v1/analyser.js';
import { requireWebId } from '../../pod/addresses.js';
import { withService } from '../analyser-call.js';
import { exitCodes } from '../exit-codes.js';
import type { Mode } from '../mode.js';
import { printFields } from '../print-fields.js';

const asWished: readonly CancelStatus[] = [
  CancelStatus.CANCEL_STATUS_STOPPED,
  CancelStatus.CANCEL_STATUS_NOTHING_RUNNING,
];

export const mode: Mode = (context) => {
  const webId = requireWebId(context.args[0] ?? '').webId;
  return withService(context, async (connection, login) => {
    const reply = await callCancel(connection, webId, { login });
    printFields(context, reply, [
      ['status', reply.status],
      ['run id', reply.run_id],
      ['message', reply.message],
    ]);
    return asWished.includes(reply.status) ? exitCodes.ok : exitCodes.failed;
  });
};
