import type { ChartDocument } from '../../documents/chart-document.js';
import { gutterFor } from './gutter.js';

export interface PlotBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where the numbers of the vertical axis end, and the lines across begin. */
export const numbersEnd = 30;
const rightMargin = 12;
/** The height of the ticks and their labels, which have two lines. */
const belowPlot = 44;
const axisName = 26;
const gutterHeading = 18;

/** The room that is left for the lines, between two gutters that are as wide as the labels in them. */
export function plotBox({ own, cohort }: ChartDocument, width: number, height: number): PlotBox {
  const gutters = { left: gutterFor(cohort, width), right: gutterFor(own, width) };
  return {
    left: numbersEnd + 6 + gutters.left,
    right: width - Math.max(rightMargin, gutters.right),
    top: axisName + (gutters.left + gutters.right > 0 ? gutterHeading : 0),
    bottom: height - belowPlot,
  };
}
