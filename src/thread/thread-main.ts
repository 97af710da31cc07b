import { parentPort, workerData } from 'node:worker_threads';
import { serveOrders } from './serve-orders.js';
import { threadData } from './thread-data.js';

if (parentPort === null) throw new Error('This file runs as the analysis thread.');
await serveOrders(parentPort, threadData.parse(workerData));
