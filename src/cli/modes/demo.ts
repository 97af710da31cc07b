import { AnalyserError } from '../../base/errors.js';
import { runDemo } from '../demo/run-demo.js';
import { exitCodes } from '../exit-codes.js';
import { untilInterrupted } from '../interruption.js';
import type { Mode, ModeContext } from '../mode.js';

export const mode: Mode = {
  async run(context) {
    const ports = {
      ...readPort(context, 'solid'),
      ...readPort(context, 'grpc'),
      ...readPort(context, 'http'),
    };
    const once = context.options['once'] === true;
    await untilInterrupted((signal) => runDemo({ once, ports, print: context.print }, signal));
    return exitCodes.ok;
  },
};

function readPort({ options }: ModeContext, name: 'solid' | 'grpc' | 'http') {
  const text = options[`${name}Port`];
  if (text === undefined) return {};
  const port = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port > 0 && port <= 65_535) return { [name]: port };
  throw new AnalyserError('configuration', `--${name}-port: expected a port from 1 to 65535.`);
}
