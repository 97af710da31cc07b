import type { OwnBuild } from '../../src/base/build.js';

export const testBuild: OwnBuild = {
  version: '1.2.3',
  commit: 'v1.2.3-4-g5678abc',
  digest: 'of a test',
};
