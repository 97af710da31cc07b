import { requestsOfReading, testFaults } from './faulty-analysis.js';

testFaults(requestsOfReading);
