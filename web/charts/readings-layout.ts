import { type ChartLayout, layOutChart } from '../../src/chart/layout/chart-layout.js';
import { plotBox } from '../../src/chart/layout/plot-box.js';
import { fitToPixels } from '../../src/chart/layout/rolling-means.js';
import type { ChartDocument } from '../../src/documents/chart-document.js';

/** Narrower, the page is a phone's. */
const leastWide = 520;

export interface ReadingsLayout extends ChartLayout {
  narrow: boolean;
}

/** What the published picture draws, in the size of the page. */
export function layOutReadings(chart: ChartDocument, width: number): ReadingsLayout {
  const narrow = width < leastWide;
  const height = narrow ? 280 : 360;
  const { left, right } = plotBox(chart, width, height);
  const figures = fitToPixels(chart, right - left);
  return { ...layOutChart(figures, width, height), narrow };
}
