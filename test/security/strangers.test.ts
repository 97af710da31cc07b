import { testStrangers } from './strangers/properties.js';

/** Hundreds are lived in strangers.full, thousands in strangers.long. */
testStrangers({ histories: 20, seed: 1 });
