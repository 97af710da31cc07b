import { testStrangers } from './strangers/properties.js';

testStrangers({ histories: 600, seed: 2 });
