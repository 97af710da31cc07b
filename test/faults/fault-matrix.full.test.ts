import { requestsOfPublishing, requestsOfReading, testFaults } from './faulty-analysis.js';

testFaults([...requestsOfReading, ...requestsOfPublishing], { everyNth: 4 });
