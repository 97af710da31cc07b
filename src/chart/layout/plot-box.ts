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
/** Ticks and their labels, of two lines. */
const belowPlot = 44;
const axisName = 26;
const gutterHeading = 18;

/** What is left for the lines: the gutters beside it are as wide as the labels that stand in them. */
export function plotBox({ own, cohort }: ChartDocument, width: number, height: number): PlotBox {
  const gutters = { left: gutterFor(cohort, width), right: gutterFor(own, width) };
  return {
    left: numbersEnd + 6 + gutters.left,
    right: width - Math.max(rightMargin, gutters.right),
    top: axisName + (gutters.left + gutters.right > 0 ? gutterHeading : 0),
    bottom: height - belowPlot,
  };
}
