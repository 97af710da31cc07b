import { runDemo } from '../demo/run-demo.js';
import { untilInterrupted } from '../interruption.js';
import type { Mode } from '../mode.js';
import { parseNumberFlag } from '../parse-flag.js';

export const mode: Mode = async ({ has, value, print }) => {
  const portOf = (name: string) =>
    parseNumberFlag(`--${name}-port`, value(`${name}Port`), 1, 65_535);
  const ports = { solid: portOf('solid'), grpc: portOf('grpc'), http: portOf('http') };
  await untilInterrupted((signal) => runDemo({ once: has('once'), ports, print }, signal));
};
