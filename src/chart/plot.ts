/** The size of the picture in the units of its layout. */
export const [width, height, margin] = [900, 500, 20];
/** The width in pixels of the drawn picture: wide enough for readable text, and small enough for a small result. */
export const PIXELS_WIDE = 1350;

/** Where the numbers of the vertical axis end, and the lines across begin. */
export const numbersEnd = 50;
/** A short line, the leader, joins each label beside the plot to its line; `gap` is between its end and the letters. */
export const leader = 21;
export const gap = 4.5;

/** The room for the lines. On both sides of it is room for a label such as "Heart rate 100.0" with its leader. */
export const plot = { left: 185, right: 751, top: 114, bottom: 442 } as const;
