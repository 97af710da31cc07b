import { testFaults } from './faulty-analysis.js';

await testFaults({ everyNth: 4 });
