import { requestsOfPublishing, testFaults } from './faulty-analysis.js';

testFaults(requestsOfPublishing);
