import { testHistories } from './test-histories.js';

/** SIMULATION_SEED and SIMULATION_HISTORIES live others, as many as one likes. */
testHistories({ histories: 60, seed: 1 });
