import { AnalyserError } from '../../base/errors.js';
import { runDemo } from '../demo/run-demo.js';
import { exitCodes } from '../exit-codes.js';
import { untilInterrupted } from '../interruption.js';
import type { Mode, ModeContext } from '../mode.js';

export const mode: Mode = {
  configure(command) {
    command
      .option('--once', 'end when everything was shown, instead of staying up until Ctrl-C')
      .option('--solid-port <port>', 'of the Solid server; default: a free one')
      .option('--grpc-port <port>', 'of the gRPC service; default: a free one')
      .option('--http-port <port>', 'of the HTTP API and dashboard; default: a free one');
  },

  async run(context) {
    const { options, print } = context;
    const ports = {
      ...readPort(context, 'solid'),
      ...readPort(context, 'grpc'),
      ...readPort(context, 'http'),
    };
    const wishes = { once: options['once'] === true, ports, print };
    await untilInterrupted((signal) => runDemo(wishes, signal));
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
