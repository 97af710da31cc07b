import type { OwnBuild } from '../../src/base/own-build.js';

export const testBuild: OwnBuild = {
  version: '1.2.3',
  commit: 'v1.2.3-4-g5678abc',
  digest: 'of a test',
};
