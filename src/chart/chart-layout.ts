export const chartWidth = 1800;
export const chartHeight = 1000;

const margin = 40;
/** Name and numbers of the vertical axis. */
const axisWidth = 100;
/** Beside the plot, where the labels of the reference lines stand. */
const gutter = 265;

export interface PlotBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Between the axis numbers and the plot. */
  leftGutter: number;
}

export function plotBox(labelled: { left: boolean; right: boolean }): PlotBox {
  const leftGutter = labelled.left ? gutter : 0;
  return {
    left: margin + axisWidth + leftGutter,
    right: chartWidth - margin - (labelled.right ? gutter : 0),
    top: 200,
    bottom: chartHeight - 115,
    leftGutter,
  };
}
