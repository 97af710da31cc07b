/** The units that the picture is laid out in. */
export const chartWidth = 1800;
export const chartHeight = 1000;

/** The pixels that it is drawn in: text stays readable, and a result half the size of its units. */
export const pictureWidth = 1350;

const margin = 40;
/** Name and numbers of the vertical axis. */
const axisWidth = 100;

export interface PlotBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Between the axis numbers and the plot, where the labels of the reference lines stand. */
  leftGutter: number;
}

/** The gutters are as wide as what stands in them. */
export function plotBox(gutters: { left: number; right: number }): PlotBox {
  return {
    left: margin + axisWidth + gutters.left,
    right: chartWidth - margin - gutters.right,
    top: 200,
    bottom: chartHeight - 130,
    leftGutter: gutters.left,
  };
}

export function pixelsAcross(box: PlotBox): number {
  return ((box.right - box.left) * pictureWidth) / chartWidth;
}
