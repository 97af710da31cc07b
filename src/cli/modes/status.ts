import { callStatus } from '../../client/calls.js';
import { withService } from '../analyser-call.js';
import { exitCodes } from '../exit-codes.js';
import type { Mode } from '../mode.js';
import { printFields } from '../print-fields.js';

export const mode: Mode = (context) => {
  return withService(context, async (connection) => {
    const reply = await callStatus(connection);
    printFields(context, reply, [
      ['ready', reply.ready],
      ['analyser', reply.analyser_web_id],
      ['analyses in hand', reply.active_runs],
      ['last run id', reply.last_run_id],
      ['last run at', reply.last_run_at],
      ['message', reply.message],
    ]);
    return reply.ready ? exitCodes.ok : exitCodes.failed;
  });
};
