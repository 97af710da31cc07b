import { testHistories } from './test-histories.js';

testHistories({ histories: 300, seed: 3 });
