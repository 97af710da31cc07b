import '../base/give-way.js';

/** What a worker thread runs. */
export { renderChart } from './render-chart.js';
