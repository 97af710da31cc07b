import { testStrangers } from './strangers/properties.js';

testStrangers({ histories: 20_000 });
