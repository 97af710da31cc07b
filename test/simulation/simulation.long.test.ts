import { testHistories } from './test-histories.js';

testHistories({ histories: 3_000, seed: 2 });
